"""Where the parts of a command stand in its text."""

from __future__ import annotations

import pytest

from perdure.gate.shell.outline import outline


def words(text: str) -> list[list[str]]:
    found = outline(text).words
    return [[text[start:end] for start, end in found[place]] for place in sorted(found)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("git  status -s", [["git", "status", "-s"]]),
        ("A=1 make 'one two' > out 2>&1", [["make", "'one two'"]]),
        ('echo "$(ls | wc -l)" x', [['echo', '"$(ls | wc -l)"', "x"], ["ls"], ["wc", "-l"]]),
        ("a=(one two); cat <<E b\nbody\nE", [[], ["cat", "b"]]),
        ("for f in a b; do rm $f; done", [["rm", "$f"]]),
        ("cat <(sort a) b", [["cat", "<(sort a)", "b"], ["sort", "a"]]),
        ("echo `rm a`", [["echo", "`rm a`"]]),
    ],
)  # fmt: skip
def test_words_stand_where_the_text_has_them(text: str, expected: list[list[str]]) -> None:
    assert words(text) == expected


def test_documents_comments_and_line_ends_are_told_apart() -> None:
    text = "cat <<'E' > a # why\n# in the document\nE\nmake \\\n  test\n\necho 'two\nlines'"
    found = outline(text)
    assert [text[start:end] for start, end in found.heredocs] == ["<<'E'", "# in the document\nE\n"]
    assert [text[start:end] for start, end in found.comments] == ["# why"]
    assert [text[:place].count("\n") for place in found.line_ends] == [0, 4, 5]
    assert [text[place : place + 2] for place in found.joined_lines] == ["\\\n"]
