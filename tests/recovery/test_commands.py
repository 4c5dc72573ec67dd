"""What kind of command a command is, and how it is given back."""

from __future__ import annotations

import pytest

from perdure.recovery import checks, commands


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("cd src && FOO=1 uv run pytest -q tests/a.py 2>&1 | tail -5", "pytest"),
        ("python3 -m pytest -x", "pytest"),
        ("mise run fmt && mise run lint", "mise lint"),
        ("git -C /elsewhere push origin main", "git push"),
        ("npm run test -- --run", "npm test"),
        ("npm test", "npm test"),
        ("pnpm --filter web test", "pnpm test"),
        ("cargo +nightly test -p core", "cargo test"),
        ("./gradlew build", "gradlew build"),
        ("python3 scripts/release.py --dry", "release.py"),
        ("cat > a.go <<'EOF'\nfoo | bar; make\nEOF\ngo build ./...", "go build"),
        ('git commit -m "make && test"', "git commit"),
    ],
)
def test_a_kind_is_the_program_and_what_it_is_asked_to_do(command: str, kind: str) -> None:
    assert commands.kind(commands.main_commands(command)[-1]) == kind


def test_a_failure_of_several_checks_is_settled_by_each_of_them() -> None:
    assert set(checks.needed_by("go build ./... && go test ./...")) == {"go build", "go test"}
    assert set(checks.needed_by("mkdir -p out && ./deploy.sh")) == {"deploy.sh"}


@pytest.mark.parametrize(
    ("command", "given_back"),
    [
        ("cd /home/me/work && go test ./... 2>&1 | tail -20", ["go test ./..."]),
        ('cd "/home/me/my work" && make verify', ["make verify"]),
        ("cd /home/me/work\nuv run pytest -q", ["uv run pytest -q"]),
        ("cd web && npm test", ["cd web && npm test"]),
        ("CI=1 npm test", ["CI=1 npm test"]),
        ("go vet ./... 2>&1 | tail -3; echo ---; go test ./... | tail -3", ["go vet ./...", "go test ./..."]),
        ("git commit -m \"$(cat <<'EOF'\nwords\nEOF\n)\"", []),
        ("python3 - <<'PY'\nprint(1)\nPY", []),
        ("make test | tee log 2>&1 | grep -E 'a|b' | tail -5", ["make test"]),
        ("git ls-files | head -3 | xargs wc -l", ["git ls-files | head -3 | xargs wc -l"]),
        ("make a || cat log", ["make a || cat log"]),
        ('echo "$(make | tail -1)"', ['echo "$(make | tail -1)"']),
        ("a" + " " * 1_000_000 + "b", []),
    ],
)
def test_a_command_is_given_back_as_it_could_be_run_again(command: str, given_back: list[str]) -> None:
    assert commands.repeatable(command) == given_back


def test_looking_is_not_a_check_and_a_script_with_a_pipe_in_quotes_is_one_command() -> None:
    assert commands.only_looks("grep -n 'a|b' src && git status")
    assert not commands.is_check("grep -rn test src")
    assert [each.words for each in commands.simple_commands("grep -n 'a|b; c' src")] == [
        ("grep", "-n", "a|b; c", "src")
    ]


@pytest.mark.parametrize(
    ("command", "left"),
    [
        ("cat > a <<'EOF' && make\nx\nEOF\nls", ["cat > a", "make", "ls"]),
        ("cat <<A <<B\na\nA\nb\nB\nls", ["cat", "ls"]),
        ("cat <<-EOF\n\tmake\n\tEOF\nls", ["cat", "ls"]),
        ("cat <<EOF\nit never ends\nmake", ["cat"]),
        ("cat > a <<'EOF' && make\nx\n  EOF\nls", ["cat > a", "make", "ls"]),
        ("cat <<< word; ls", ["cat <<< word", "ls"]),
        ("# a remark\nls # make", ["ls"]),
        ("git commit -m 'fix; make test' # make", ["git commit -m 'fix; make test'"]),
    ],
)
def test_a_document_or_a_comment_within_a_command_is_not_a_part_of_it(command: str, left: list[str]) -> None:
    assert [each.text for each in commands.simple_commands(command)] == left


def test_what_was_cut_off_is_not_taken_for_a_command() -> None:
    several = commands.simple_commands("make test && " * 20_000 + "make testing")
    assert {each.text for each in several} == {"make test"}
    assert commands.simple_commands("make " + "x" * 5000) == ()


@pytest.mark.parametrize(
    "command",
    [
        "git commit -m 'make tests pass'",
        "rm tests/a.py",
        "mkdir -p tests",
        "test -f a",
        "planner status --change fix-build-order --json",
        "reader parse 'https://example.org/cart/test/basket'",
        "wrap proxy grep -rn 'run lint' .github",
        '"--- now the test ---"; dir',
    ],
)
def test_a_word_that_sounds_like_a_check_makes_none(command: str) -> None:
    assert not commands.is_check(command)


@pytest.mark.parametrize(
    "command",
    ["ruff check .", "go vet ./...", "npx tsc --noEmit", "php artisan test", "frobnicate run tests", "tests/run.sh",
     "docker exec -w /app web pytest -q", "wrap --quiet frob test", "wrap -v go test ./...",
     "uv run --python 3.12 pytest", "timeout 60 make", "kubectl exec p -- pytest"],
)  # fmt: skip
def test_a_check_is_one_whether_or_not_it_only_looks_and_whatever_starts_it(command: str) -> None:
    assert commands.is_check(command)
