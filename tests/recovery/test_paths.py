"""What is a path, where it lies and how it is shown."""

from __future__ import annotations

import pytest

from perdure.recovery import paths
from perdure.recovery.commands import simple_commands


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("cat src/cart.py tests/test_cart.py", ["src/cart.py", "tests/test_cart.py"]),
        ("make -C sub && cat Makefile", ["Makefile"]),
        ("python3 -c 'import os; print(os.path.join(a.b, c.py))'", []),
        ("python3 - <<'PY'\ns.replace(p.name, x)\nopen('a.py')\nPY\ncat b.py", ["b.py"]),
        ("curl https://example.org/pkg/index.ts", []),
        ("ls */spec.md", []),
        ("type C:\\work\\src\\Cart.cs", ["C:\\work\\src\\Cart.cs"]),
    ],
)
def test_paths_of_a_command_are_its_own_and_not_those_of_a_script_in_it(command: str, found: list[str]) -> None:
    assert [path for each in simple_commands(command) for path in paths.named_by(each)] == found


def test_a_path_of_windows_is_the_same_file_however_it_is_written() -> None:
    root = "C:\\work\\shop"
    for written in (
        "C:\\work\\shop\\src\\Cart.cs",
        "c:/work/shop/src/Cart.cs",
        "/c/work/shop/src/Cart.cs",
        "src\\Cart.cs",
    ):
        full = paths.absolute(written, root, windows=True)
        assert (full, paths.shown(full, root)) == ("C:/work/shop/src/Cart.cs", "src\\Cart.cs")


def test_what_was_put_aside_is_not_a_part_of_the_work() -> None:
    aside = ("/tmp/a.py", "/w/node_modules/x/i.js", "/h/.claude/plans/p.md", "/w/run.log")
    assert all(paths.is_scratch(path, "/w") for path in aside)
    assert not paths.is_scratch("/w/src/tmp/a.py", "/w")


def test_a_project_in_a_temporary_folder_is_work_and_what_lies_beside_it_is_not() -> None:
    assert not paths.is_scratch("/tmp/shop/src/cart.py", "/tmp/shop")
    assert not paths.is_scratch("/tmp/shop/tmp/cart.py", "/tmp/shop")
    assert paths.is_scratch("/tmp/shop/node_modules/x/i.js", "/tmp/shop")
    assert paths.is_scratch("/tmp/other/a.py", "/tmp/shop")


def test_the_address_of_a_package_or_of_a_file_in_a_commit_is_not_a_path_of_the_work_tree() -> None:
    assert paths.in_text("Unused import: 'package:shop/cart/total.dart'") == []
    assert paths.in_text("git show topic:src/cart.py") == []
    assert paths.in_text("see src/cart.py:12 and C:\\shop\\cart.cs") == ["src/cart.py", "C:\\shop\\cart.cs"]


def test_a_path_does_not_begin_behind_a_tilde_within_a_name() -> None:
    assert paths.in_text("/Users/me/Mobile Documents/com~apple~Cloud/shop/plan.md") == []
    assert paths.in_text("~/shop/plan.md") == ["~/shop/plan.md"]


def test_what_a_server_offers_is_no_file_below_the_root_of_the_system() -> None:
    assert paths.in_text("for each in /openapi.json /cart.md") == []
    assert paths.in_text("cat /etc/hosts.conf") == ["/etc/hosts.conf"]


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ('cat "/Users/me/My Shop/notes/plan.md"', ["/Users/me/My Shop/notes/plan.md"]),
        ('cat "/srv/a b.md" "c/d.md"', ["/srv/a b.md", "c/d.md"]),
        ('sh -c "/opt/x/run.sh -q /srv/y.md"', ["/opt/x/run.sh", "/srv/y.md"]),
    ],
)
def test_a_quoted_path_with_spaces_is_one_path(command: str, named: list[str]) -> None:
    assert paths.named_by(simple_commands(command)[0]) == named
