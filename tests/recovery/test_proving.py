"""What a command could prove: whether its status is the check's own, and whether it was all of it (SPEC 10.6)."""

from __future__ import annotations

import pytest

from perdure.actions.observing import CHECK_WORDS
from perdure.recovery.containers import HERE, Within, mounts_the_folder
from perdure.recovery.proving import checks_in, is_suite, prints_else, status_is_own
from tests.effort import for_each

OWN = [
    "pytest",
    "cd /work && pytest -q 2>&1",
    "echo start; pytest",
    "(cd web && npm test)",
    "pytest && echo done && git status",
    "timeout 60 uv run pytest -q",
    "FOO=1 pytest",
    "ruff check . && mypy && pytest",
    "set -euo pipefail; pytest",
    "source .venv/bin/activate && pytest",
    ". venv/bin/activate; pytest",
    "bash -c 'cd web && npm test'",
    "test -f setup.cfg && pytest",
]
NOT_OWN = [
    "pytest | tail -3",
    "pytest 2>&1 | tee log",
    "pytest; true",
    "pytest\ntrue",
    "pytest || true",
    "false || pytest",
    "pytest &",
    "pytest && true; true",
    "! pytest",
    "if pytest; then echo; fi",
    "for x in 1 2; do pytest; done",
    "bash -c 'pytest; true'",
    "(pytest; true)",
    "{ pytest; true; }",
    "pytest() { true; }; pytest",
    "trap 'exit 0' EXIT; pytest",
    "set +e; pytest; exit 0",
    "alias pytest=true; pytest",
    "PATH=./fake:$PATH pytest",
    "export PYTEST_ADDOPTS=tests/one.py; pytest",
    "eval pytest",
    "env PATH=./fake pytest",
    "env PYTEST_ADDOPTS=-kone pytest",
    'export PATH="./fake:$PATH" && pytest',
    "declare -x PYTEST_ADDOPTS=-kone; pytest",
    "PYTEST_PLUGINS=fake pytest",
    "source setup.sh && pytest",
    "pushd /tmp/other; pytest",
    "set +o errexit; pytest",
    "pytest 'unclosed",
    "setsid ruff check",
    "sudo -b pytest",
    "env -C web pytest",
    "timeout 60 env --chdir=web pytest",
    "sudo -D web pytest",
    "TEST=test/a.rb rake test",
    "MAVEN_ARGS=-Dtest=A mvn verify",
    "npm_config_script_shell=./fake npm test",
    "LD_PRELOAD=./fake.so pytest",
    "NODE_OPTIONS='--require ./fake.js' npx jest",
    "sbt clean test | tail",
    "sh -c '! pytest -q'",
    "sh -c 'pytest -q &'",
    "bash -c 'if pytest; then :; fi'",
    "nix-shell --run 'pytest || true'",
    "nix-shell --run 'pytest -q &'",
]


@pytest.mark.parametrize("command", OWN)
def test_a_status_that_is_the_checks_own(command: str) -> None:
    assert status_is_own(command)
    assert checks_in(command)


@for_each("command", NOT_OWN)
def test_a_status_that_is_not_the_checks_own(command: str) -> None:
    assert not status_is_own(command)


WHOLE = """
    bazelisk test //...|mvnd verify|gmake test|nix-shell --run 'pytest -q'|nix-shell -p python3 --command pytest
    conda run -n dev pytest|conda run --no-capture-output -n dev python -m pytest|fvm flutter test|npm t|rake
    bundle exec rake|meson test -C build|busted|stack test|lein test|./gradlew check|./gradlew clean check
    nx run-many -t test|sh -ec 'cd web; npm test'|npx mocha 'test/**/*.spec.js'
    pytest --junitxml=out/r.xml|command pytest
    pytest|pytest -q -x --tb=short -n auto|pytest tests|pytest tests/|python -m pytest|python -m unittest
    go test ./...|cargo test|cargo test --workspace|npm test|npx jest|npx vitest run|node --test|make test
    make check|tox|make -j4 test|make test WORKERS=4|python -m unittest discover|python -m unittest discover -s tests -v
    .venv/bin/pytest -q|/usr/bin/python3 -m pytest|node_modules/.bin/jest
    dotnet test|mix test --cover|./gradlew test|mvn -B verify|vendor/bin/phpunit|php artisan test|composer test
    bundle exec rspec|rails test|bazel test //...|swift test|flutter test|sbt test|deno test -A|bun test|npx mocha
    coverage run -m pytest|xvfb-run -a npm test|npx cross-env CI=1 jest|tox -p
    pytest -v|python -m unittest -v|tox -v|python -W error -m pytest|pytest src tests|cargo t|gotestsum ./...
    npx vitest --run|npm test -- --run|npx mocha -r ts-node/register|npx nyc mocha|rspec -f p|mvn -o test
    mvn clean install|dotnet test -c Release --no-restore|dotnet test Shop.sln|dotnet test /p:CollectCoverage=true
    bazel test -c opt //...
    go test -p 4 -cpu 1,2 ./...|bats test|prove -lr t|node --import tsx --test|composer run-script test|sbt clean test
    hatch run test|pdm run test|poe test|inv test|nix develop -c pytest|NODE_OPTIONS=--experimental-vm-modules npx jest
    npx jest --watchAll=false|phpunit --fail-on-skipped|mocha --forbid-only|make clean test
    cargo nextest run|cargo test -- --include-ignored|python manage.py test|./manage.py test
    docker run --rm -v .:/w -w /w shop pytest|docker run -v "$(pwd):/w" shop pytest
    docker run --mount type=bind,source=.,target=/w shop pytest|docker compose run -v ${PWD}:/app app npm test
"""
PARTS = """
    pytest -p no:python|pytest -pno:unittest|pytest tests/*_cart.py|npx jest 'src/**/cart*.js'
    meson test unit -C build|meson test --suite fast|meson test --no-rebuild|rake -n|rake SPEC=spec/a_spec.rb
    bazelisk test //a:b|nix-shell --run 'pytest -k a'|nx run-many -t test -p web|./gradlew check -x test
    ./gradlew check -xtest
    busted -t fast|stack test --ta '-m cart'|bats --count tests
    pytest -k cart|pytest -k run|pytest -kcart|pytest -m fast|pytest tests/test_a.py|pytest tests/test_a.py::test_b
    pytest tests/unit|pytest --lf|pytest --sw|pytest --deselect a|pytest --ignore=tests/slow
    python -m unittest tests.test_a|go test|go test ./cart|go test -run TestA ./...|cargo test cart|cargo test --lib
    cargo test -p cart|npm run test:unit|npx jest -t cart|npx jest cart|npx jest --onlyChanged|npx vitest run cart
    pytest --ignore-glob=*slow*|pytest -o addopts=-kone|pytest --override-ini=testpaths=a|pytest -c one.ini
    npm test -- -t one|npx jest --testPathPattern one|npx jest --config one.js|docker run shop pytest
    node --test --test-skip-pattern=a|pytest --pyargs json
    node --test --test-name-pattern=a|node --test --test-only|bats --filter x|prove > log
    ./pytest|/tmp/fake/pytest -q|../pytest|./node --test|go test -short ./...|make -i test|make -ki test|make -t test
    make -q test|make -e test|make test PYTEST=true|make test TESTS=one|make test SHELL=/bin/true|pytest > log
    python -m unittest discover -p test_a*.py|python -m unittest discover -s tests/unit
    npx vitest run --changed|node --test a.test.mjs|npm test -- --grep cart|make test-unit
    dotnet test --filter A|dotnet test --no-build|dotnet test -t|mix test --stale|mix test test/a_test.exs:12
    ./gradlew :app:test|./gradlew test --tests *Cart|mvn test -pl app|mvn verify -Dgroups=fast|mvn test -fn
    mvn test -Dmaven.test.failure.ignore=true|phpunit --testsuite unit|vendor/bin/phpunit --group slow
    rspec -e cart|bundle exec rspec --tag fast|rspec --only-failures|rails test -n test_a|rake test TEST=test/a.rb
    ctest|ctest -R cart|ctest -N|bazel test //... --test_filter=Cart|bazel test //... --test_tag_filters=-slow
    tox -l|nox -t fast|dart test -n cart|xcodebuild test-without-building -scheme A
    cargo test -- --ignored|cargo nextest run -E all()|swift test --skip-build|python manage.py test cart
    kubectl exec pod -- pytest|ssh host pytest|docker exec app pytest|docker run -v cache:/root/.cache shop pytest
    docker run -v ./web:/w shop npm test|uv run --directory web pytest
    coverage run -m pytest tests/test_a.py|coverage run tests/test_a.py
    pytest --splits 4 --group 1|pytest --shard-id=0 --num-shards=4|pytest --picked|pytest --noconftest|pytest --only-new
    pytest --suite=smoke|go test -exec true ./...|go test -list=. ./...|go test -test.run=TestA ./...
    go test -C ../a ./...|go test ./... -args -test.run=TestA|cargo test -- --exact a::b|npx jest --watch|npx jest -f
    npx jest --testMatch a
    npx jest --lastCommit|npx vitest --watch|npx mocha -w|node --test --watch|node --test --test-shard=1/2|pytest-watch
    phpunit --exclude-filter=A|phpunit --no-configuration|mvn surefire:test|mvn test -Dcucumber.filter.tags=@a
    mvn -N clean test|dotnet test -- --filter-class A|dotnet test -p:VSTestTestCaseFilter=A|bazel test //... -//slow/...
    bazel test //... --test_env=TEST_ONLY=A|prove --state=failed|npx ava --match=a|yarn test -t a|sbt core/test
    npx turbo run test --affected|npx lerna run test --scope=a|mix test.watch|rails test:models|hatch run test:unit
    npm --script-shell=./fake test|git stash && pytest && git stash pop|make --makefile=one.mk test
"""


def several(text: str) -> list[str]:
    return [each.strip() for line in text.strip().splitlines() for each in line.split("|")]


@for_each("command", several(WHOLE))
def test_a_whole_run(command: str) -> None:
    [check] = checks_in(command)
    assert (check.purpose, check.part) == ("test", "")


@for_each("command", several(PARTS))
def test_a_selection_is_not_a_whole_run(command: str) -> None:
    assert all(check.part for check in checks_in(command)), command


@for_each(
    "command",
    [*several(WHOLE), "vendor/bin/pest", "phpstan analyse", "mvn compile", "gcc -c a.c", "javac A.java"],
)
def test_a_hook_looks_more_closely_at_every_check(command: str) -> None:
    assert checks_in(command)
    assert any(word in command for word in CHECK_WORDS)


@pytest.mark.parametrize(
    "command",
    [
        "cat ok.txt",
        "git commit -m 'pytest passed'",
        "pytest --collect-only",
        "pytest --version",
        "pytest --setup-plan",
        "pytest --collectonly",
        "pytest -VV",
        "command -v ruff",
        "command -V pytest",
        "type mypy",
        "man ruff",
        "task -n test",
        "mvn test -DskipTests=true",
        "npx jest -v",
    ],
)
def test_what_runs_no_check_proves_nothing(command: str) -> None:
    assert checks_in(command) == []


@pytest.mark.parametrize(
    ("command", "purpose", "whole"),
    [
        ("ruff check .", "lint", True),
        ("ruff check src tests", "lint", True),
        ("ruff check src/a.py", "lint", False),
        ("mypy", "lint", True),
        ("npx tsc --noEmit", "lint", True),
        ("make", "build", True),
        ("cargo build", "build", True),
        ("npm run build", "build", True),
        ("go build ./...", "build", True),
        ("go build", "build", False),
        ("cmake --build build", "build", True),
        ("cmake -S . -B build", "build", False),
        ("cmake -E true", "build", False),
        ("ninja", "build", True),
        ("ninja -n", "build", False),
        ("go build -n ./...", "build", False),
        ("./gradlew build -m", "build", False),
        ("npm run build --if-present", "build", False),
        ("npm run lint --if-present", "lint", False),
        ("ruff check --exit-zero", "lint", False),
        ("ruff check -e .", "lint", False),
        ("ruff check --select E501", "lint", False),
        ("ruff rule E501", "lint", False),
        ("ruff format", "lint", False),
        ("ruff format --check", "lint", True),
        ("golangci-lint run --issues-exit-code=0", "lint", False),
        ("mypy -c 'x = 1'", "lint", False),
        ("eslint --print-config a.js", "lint", False),
        ("npx tsc --init", "lint", False),
        ("npx tsc -p .", "lint", True),
        ("ruff check $(git diff --name-only)", "lint", False),
        ("ruff check $FILES", "lint", False),
        ("ruff check src/*_cart.py", "lint", False),
        ("npx eslint 'src/**/*.{ts,tsx}'", "lint", True),
        ("pre-commit run ruff", "lint", False),
        ("pre-commit run ruff -a", "lint", True),
        ("cargo build --bin shop", "build", False),
        ("cargo clippy --workspace", "lint", True),
        ("cmake --build . --target shop", "build", False),
    ],
)
def test_builds_and_linters(command: str, purpose: str, whole: bool) -> None:
    [check] = checks_in(command)
    assert (check.purpose, not check.part) == (purpose, whole)


@pytest.mark.parametrize(
    "command",
    [
        "pytest -q && cat old.log",
        "tail -3 old.log; pytest -q",
        "pytest -q && echo '100 passed in 0.50s'",
        "echo 'Ran 3 tests in 0.1s'; echo; echo OK; python -m unittest",
        "printf 'Ran 3 tests in 0.1s\\n\\nOK' && python -m unittest",
        "pytest -q && git show HEAD:old.log",
        "bash -c 'pytest -q && cat old.log'",
    ],
)
def test_what_else_a_command_prints_may_look_like_a_report(command: str) -> None:
    assert prints_else(command)


@pytest.mark.parametrize(
    "command", ["pytest -q && echo OK", "echo tests passed; pytest", "git status && pytest && ruff check ."]
)
def test_other_words_are_not_a_report(command: str) -> None:
    assert not prints_else(command)


def test_a_folder_is_a_suite_of_its_own_if_it_has_a_manifest_and_none_is_above_it() -> None:
    backend = {"backend/pyproject.toml"}
    assert is_suite("", "pytest", backend.__contains__)
    assert is_suite("backend", "pytest", backend.__contains__)
    assert not is_suite("backend/tests/unit", "pytest", backend.__contains__)
    assert not is_suite("tests/unit", "pytest", {"pyproject.toml"}.__contains__)
    assert not is_suite("packages/a", "npm", {"package.json", "packages/a/package.json"}.__contains__)


NOT_BUILT = "it tests what was built before: build in the same command"


@pytest.mark.parametrize(
    ("command", "part"),
    [
        ("cmake --build build && ctest --test-dir build", ""),
        ("cmake --build build && cd build && ctest --output-on-failure", ""),
        ("make && ctest", ""),
        ("cmake --build build && ctest --test-dir build -R cart", "one of its flags picks some of the tests"),
        ("cmake --build build && ctest --test-dir build/debug", ""),
        ("cmake --build build --target all && cd out/debug && ctest", ""),
        ("cmake --build build --target shop && ctest --test-dir build", NOT_BUILT),
        ("cmake --build build -t shop && cd build && ctest", NOT_BUILT),
        ("cmake -S . -B build && ctest", NOT_BUILT),
        ("cd build && ctest", NOT_BUILT),
    ],
)
def test_ctest_tests_what_was_built_so_it_must_be_built_in_the_same_command(command: str, part: str) -> None:
    [check] = [each for each in checks_in(command) if each.purpose == "test"]
    assert (check.part, check.folders) == (part, ())


@pytest.mark.parametrize("there", ["/tmp/other", "../other/build", "other"])
def test_ctest_in_a_folder_that_was_not_built_into_tests_something_else(there: str) -> None:
    [check] = [each for each in checks_in(f"cmake --build build && ctest --test-dir {there}") if each.purpose == "test"]
    assert check.folders == (there,)


def test_xcodebuild_builds_all_for_a_part_of_the_tests() -> None:
    found = checks_in("xcodebuild test -scheme Shop -only-testing:ShopTests/Cart")
    assert {each.purpose: bool(each.part) for each in found} == {"test": True, "build": False}


COMPOSE = """
services:
  db:
    image: postgres
    volumes:
      - ./data:/var/lib
  app:
    build: .
    volumes:
      - cache:/root/.cache
      - {mount}
    ports:
      - "80:80"
  web:
    build: .
volumes:
  cache:
"""


@pytest.mark.parametrize(
    ("mount", "is_mounted"),
    [
        (".:/app", True),
        ('"./:/app:ro"', True),
        ("${PWD}:/app", True),
        ("{type: bind, source: .}", False),
        ("./src:/app/src", False),
        ("app:/app", False),
        ("# .:/app", False),
    ],
)
def test_a_service_has_the_files_of_the_project_only_if_its_folder_is_mounted(mount: str, is_mounted: bool) -> None:
    text = COMPOSE.replace("{mount}", mount)
    assert mounts_the_folder(text, "app") is is_mounted
    assert not mounts_the_folder(text, "web")
    assert not mounts_the_folder(text, "db")


def test_the_long_form_of_a_volume_is_read_too() -> None:
    text = "services:\n  app:\n    volumes:\n    - type: bind\n      source: .\n      target: /app\n    image: x\n"
    assert mounts_the_folder(text, "app")
    assert not mounts_the_folder(text.replace("source: .", "source: ./a"), "app")
    assert not mounts_the_folder("\x00- : [", "app")


@pytest.mark.parametrize(
    ("command", "within"),
    [
        ("docker compose run --rm -e A=b app pytest", Within(service="app")),
        ("docker-compose exec app pytest", Within(service="app")),
        ("docker run --rm -v /home/me/shop:/w shop pytest", Within(mounted="/home/me/shop")),
        ("docker run -v .:/w shop pytest", HERE),
        ("pytest", HERE),
    ],
)
def test_what_must_be_looked_up_of_a_container(command: str, within: Within) -> None:
    assert [each.within for each in checks_in(command)] == [within]
