"""The one name of a pane, wherever people and agents read of one: `pane 1bafc803 (tmux %3)`. The id never changes;
where it works now is added if that is known."""

from __future__ import annotations

from perdure.model.ids import short
from perdure.surfaces.output import harmless


def pane_name(instance_id: str, works_at: str = "") -> str:
    where = where_words(works_at)
    return f"pane {short(instance_id)}" + (f" ({where})" if where else "")


def where_words(works_at: str) -> str:
    """`tmux_3` is tmux's own `%3`, `pts-4` the terminal `pts/4`."""
    if works_at.startswith("tmux_"):
        return f"tmux %{harmless(works_at[5:])}"
    return harmless(works_at.replace("-", "/", 1))
