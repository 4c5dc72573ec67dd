"""Facts, and how summaries tell them: for each fact, texts that keep it, alter it or lose it. Judged by hand.

Where a text is in doubt, it is listed under LOST: then the fact is given back.
"""

from __future__ import annotations

from perdure.lifecycle.summary_fact import (
    ALTERED,
    BLOCKER,
    CONSTRAINT,
    CONTRACT,
    DECISION,
    FAILED,
    GOAL,
    KEPT,
    LOST,
    NEXT_STEP,
    QUESTION,
    REQUEST,
    TASK,
    TRANSACTION,
    SummaryFact,
)

NOT_KEPT = "altered or lost"
"""Either is right: the fact is given back."""
ID = "3f2a91c4-7d10-4b7e-9a55-0c1d2e3f4a5b"

FACTS: list[tuple[SummaryFact, dict[str, list[str]]]] = [
    (
        SummaryFact(CONSTRAINT, ID, "Never push to main."),
        {
            KEPT: [
                "Never push to main.",
                "The user said: 'never push to main'.",
                "- **Do not push** to `main`.",
                "Constraints:\n- no pushing to main",
                "Pushing to main is forbidden.",
                "The user insisted that I must never push to main; work on branches.",
                "Avoid pushes to main.",
                "| rule | from |\n|---|---|\n| never push to main | user |",
                '6. All user messages:\n   - "Never push to main."\n   - "go on"',
            ],
            ALTERED: [
                "The user allows pushing to main.",
                "Push to main.",
                "Finally I pushed to main.",
                "The rule never to push to main was lifted.",
                "Never push to develop.",
                "Pushing to main is fine now.",
            ],
            LOST: [
                "",
                "The branch is up to date.",
                "The main module was refactored.",
                "Nunca subas a la rama principal.",
            ],
            NOT_KEPT: ["We worked on the main page and pushed the button styles."],
        },
    ),
    (
        SummaryFact(CONSTRAINT, ID, "Do not touch the files in migrations/"),
        {
            KEPT: [
                "Do not touch the files in `migrations/`.",
                "The files in migrations/ must not be modified.",
                "Leave the files in migrations/ untouched.",
                "The user asked not to change any files in `migrations/`.",
                "No edits to files in migrations/.",
            ],
            ALTERED: ["I changed the files in migrations/ as well.", "Touch the files in migrations/ as needed."],
            LOST: ["Database work is under way.", "The migrations folder has twelve files.", "请不要修改数据库"],
        },
    ),
    (
        SummaryFact(CONSTRAINT, ID, "Retry uploads at most 3 times with a timeout of 30 seconds."),
        {
            KEPT: [
                "Retry uploads at most three times with a timeout of 30s.",
                "Uploads: retry at most 3 times, timeout 30 sec.",
                "The person wants uploads retried at most 3 times, with a 30-second timeout.",
                "Retries of uploads: at most 3 times (timeout 0.5 minutes).",
            ],
            ALTERED: [
                "Retry uploads at most 5 times with a timeout of 30 seconds.",
                "Uploads are retried at most three times with a timeout of 60 seconds.",
                "Retry uploads at most 3 times with a timeout of 30 ms.",
            ],
            LOST: ["The timeout is 30 seconds.", "Uploads work."],
            NOT_KEPT: ["Uploads are retried a few times with a timeout."],
        },
    ),
    (
        SummaryFact(CONSTRAINT, ID, "Only use pnpm, never npm."),
        {
            KEPT: ["Only use pnpm, never npm.", "Use only pnpm (not npm).", "Use pnpm exclusively, no npm."],
            ALTERED: ["Only use npm, never pnpm.", "Use npm only, not pnpm."],
            LOST: ["Packages are installed.", "The lock file is pnpm-lock.yaml."],
        },
    ),
    (
        SummaryFact(CONSTRAINT, ID, "Keep the public API of src/cart/api.py unchanged."),
        {
            KEPT: [
                "Keep the public API of `api.py` unchanged.",
                "The public API of src/cart/api.py must stay unchanged.",
                "The public API in `cart/api.py` must not change.",
                "Do not change the public API of ${PROJECT_ROOT}/src/cart/api.py:12.",
            ],
            ALTERED: [
                "Keep the public API of src/cart/models.py unchanged.",
                "Change the public API of src/cart/api.py.",
                "Keep the public API of src/order/api.py unchanged.",
            ],
            LOST: ["The API has three endpoints.", "src/cart/api.py has 200 lines."],
        },
    ),
    (
        SummaryFact(CONSTRAINT, ID, "Run the tests before every commit."),
        {
            KEPT: [
                "Run the tests before each commit.",
                "Tests must be run before every commit.",
                "Before committing, run the tests.",
                "Never commit without running the tests.",
            ],
            ALTERED: ["Do not run the tests before commits.", "Commit without running the tests."],
            LOST: ["All 214 are green.", "The tests live in tests/."],
        },
    ),
    (
        SummaryFact(CONSTRAINT, ID, "Verwende keine globalen Variablen"),
        {
            KEPT: ["Verwende keine globalen Variablen.", "Regel: „Verwende keine globalen Variablen“"],
            ALTERED: ["Verwende globale Variablen."],
            LOST: ["No global variables.", "Das Programm ist fertig.", "全局变量"],
        },
    ),
    (
        SummaryFact(CONSTRAINT, ID, "不要修改数据库结构"),
        {
            KEPT: ["用户说：不要修改数据库结构。", "- 不要修改数据库结构"],
            ALTERED: ["修改数据库结构。"],
            LOST: ["Do not modify the database schema.", "测试通过了。"],
        },
    ),
    (
        SummaryFact(CONSTRAINT, ID, "Ne touche pas au fichier config.toml"),
        {
            KEPT: ["Consigne : « Ne touche pas au fichier config.toml »."],
            ALTERED: ["Touche au fichier config.toml."],
            LOST: ["Le projet avance.", "config.toml has ten keys."],
        },
    ),
    (
        SummaryFact(CONSTRAINT, ID, "All prices are whole cents, never floats."),
        {
            KEPT: [
                "All prices are whole cents, never floats.",
                "Prices are in whole cents (no floats).",
                "Prices must be stored as whole cents instead of floats.",
            ],
            ALTERED: ["All prices are floats, never whole cents."],
            LOST: ["Prices are shown in the cart.", "The cart was tested."],
        },
    ),
    (
        SummaryFact(DECISION, ID, "use SQLite for the cache"),
        {
            KEPT: [
                "Decision: use SQLite for the cache.",
                "We chose SQLite for the cache because readers never wait.",
                "The cache uses SQLite.",
                "| what | choice |\n|---|---|\n| cache | use SQLite |",
                "Considered Redis, but chose SQLite for the cache.",
                "For the cache we use SQLite instead of Redis.",
            ],
            ALTERED: [
                "We use Redis for the cache.",
                "Using SQLite for the cache was rejected.",
                "## Rejected alternatives\n- use SQLite for the cache",
                "SQLite was considered for the cache.",
                "We do not use SQLite for the cache.",
                "The cache uses Redis instead of SQLite.",
            ],
            LOST: ["The cache works.", "SQLite has a WAL mode.", "Le cache est rapide."],
        },
    ),
    (
        SummaryFact(DECISION, ID, "the retry limit for uploads", value="5", key="upload.retries"),
        {
            KEPT: [
                "The retry limit for uploads is 5.",
                "Retry limit for uploads: five",
                "the retry limit for uploads = 5",
            ],
            ALTERED: ["The retry limit for uploads is 3.", "Retry limit for uploads: 10"],
            LOST: ["The retry limit for uploads is set.", "Uploads work."],
        },
    ),
    (
        SummaryFact(DECISION, ID, "journal mode of the ledger", value="wal", key="db.journal"),
        {
            KEPT: ["The journal mode of the ledger is WAL.", "Journal mode of the ledger: `wal`"],
            ALTERED: ["The journal mode of the ledger is delete."],
            LOST: ["The ledger has a journal.", "We looked at the ledger."],
        },
    ),
    (
        SummaryFact(DECISION, ID, "rotate refresh tokens every 15 minutes"),
        {
            KEPT: [
                "Decided to rotate refresh tokens every 15 minutes.",
                "Refresh tokens are rotated every fifteen minutes.",
                "Refresh tokens: rotate every 900 seconds.",
            ],
            ALTERED: [
                "Refresh tokens are rotated every 30 minutes.",
                "The plan to rotate refresh tokens every 15 minutes was abandoned.",
            ],
            LOST: ["Refresh tokens were discussed.", "Login works."],
        },
    ),
    (
        SummaryFact(DECISION, ID, "parse_header() returns None for an empty line"),
        {
            KEPT: ["`parse_header` returns None for an empty line.", "parse_header() returns `None` for empty lines"],
            ALTERED: [
                "parse_body() returns None for an empty line.",
                "parse_header() never returns None for an empty line.",
            ],
            LOST: ["parse_header() is in http.py.", "The parser is done."],
        },
    ),
    (
        SummaryFact(NEXT_STEP, ID, "add tests for src/auth/jwt.ts"),
        {
            KEPT: [
                "Next: add tests for `jwt.ts`.",
                "- [ ] add tests for src/auth/jwt.ts",
                "7. Pending Tasks:\n   - Add tests for auth/jwt.ts",
                "Tests for src/auth/jwt.ts still have to be added.",
            ],
            ALTERED: [
                "- [x] add tests for src/auth/jwt.ts",
                "## Completed\n- Added tests for `jwt.ts`",
                "Adding tests for jwt.ts is done.",
                "✅ Added tests for src/auth/jwt.ts",
            ],
            LOST: [
                "src/auth/jwt.ts validates tokens.",
                "More tests are needed.",
                "Nothing is left.",
                "add tests for src/auth/refresh.ts",
            ],
        },
    ),
    (
        SummaryFact(NEXT_STEP, ID, "revert the commit that broke the build"),
        {
            KEPT: [
                "Next step: revert the commit that broke the build.",
                "I will revert the commit which broke the build.",
            ],
            ALTERED: ["Do not revert the commit that broke the build."],
            LOST: ["The build is broken.", "There are three commits."],
        },
    ),
    (
        SummaryFact(NEXT_STEP, ID, "bump the version to 2.4.0 and tag the release"),
        {
            KEPT: [
                "Pending: bump the version to 2.4.0 and tag the release.",
                "Then bump version to `2.4.0`, tag the release.",
            ],
            ALTERED: ["Pending: bump the version to 2.5.0 and tag the release."],
            LOST: ["The release is near.", "Version 2.4.0 exists."],
        },
    ),
    (
        SummaryFact(GOAL, ID, "make prices whole cents in the cart and the invoice"),
        {
            KEPT: [
                "1. Primary Request:\n   The user wants prices to be whole cents in the cart and the invoice.",
                "Goal: make prices whole cents (cart, invoice).",
                "We convert the prices to whole cents. First the cart was done. The invoice follows.",
            ],
            ALTERED: [],
            LOST: ["A fixed summary.", "We looked at the tests of the login.", "Der Warenkorb wurde getestet."],
        },
    ),
    (
        SummaryFact(GOAL, ID, "Fix the login bug where tokens expire after 5 minutes although the setting says 60"),
        {
            KEPT: [
                "The user asked to fix a login bug: tokens expire after five minutes although the setting says 60.",
                "Login bug: tokens expire after 5 minutes; the setting says 60. Fix it.",
            ],
            ALTERED: ["Fix the login bug where tokens expire after 10 minutes although the setting says 60"],
            LOST: ["Tokens are validated in jwt.ts.", "The settings page was redesigned."],
        },
    ),
    (
        SummaryFact(REQUEST, ID, "now write the release notes for version 3 and mention the new importer"),
        {
            KEPT: [
                'The user\'s last message: "now write the release notes for version 3 and mention the new importer"',
                "Write release notes for version 3 that mention the new importer.",
            ],
            ALTERED: ["Write the release notes for version 4 and mention the new importer."],
            LOST: ["The importer is new.", "Version 3 is out."],
        },
    ),
    (
        SummaryFact(TRANSACTION, ID, ID),
        {
            KEPT: [
                "Open transaction: 3f2a91c4",
                f"transaction {ID} is open",
                "Perdure transaction `3f2a91c4-7d10` stays open.",
                "| transaction | 3F2A91C4 |",
            ],
            ALTERED: ["Transaction 3f2a91c4 was closed.", "Open transaction: 9b1c22d0"],
            LOST: ["A transaction is open.", "commit 9b1c22d0 is good", "3f2a91"],
        },
    ),
    (
        SummaryFact(TASK, ID, "Import invoices from CSV"),
        {
            KEPT: ["Active task: Import invoices from CSV (in progress).", "Working on importing invoices from CSV."],
            ALTERED: ["Task 'Import invoices from CSV' is closed."],
            LOST: ["CSV has commas.", "Invoices are listed.", "Import invoices from XML"],
        },
    ),
    (
        SummaryFact(QUESTION, ID, "Should the grace period be configurable per client?"),
        {
            KEPT: ["Open question: should the grace period be configurable per client?"],
            ALTERED: ["Resolved: the grace period is configurable per client."],
            LOST: ["Clients have a grace period.", "No questions."],
        },
    ),
    (
        SummaryFact(BLOCKER, ID, "The staging server has no disk space left"),
        {
            KEPT: [
                "Blocker: staging server has no disk space left.",
                "There is no disk space left on the staging server.",
            ],
            ALTERED: ["The staging server has disk space left."],
            LOST: ["Staging was deployed.", "The disk is an SSD."],
        },
    ),
    (
        SummaryFact(FAILED, ID, "Locking with fcntl does not work on NFS"),
        {
            KEPT: ["Locking with fcntl does not work on NFS.", "fcntl locking fails: it doesn't work on NFS"],
            ALTERED: ["Locking with fcntl works on NFS."],
            LOST: ["NFS is mounted.", "We use locks."],
        },
    ),
    (
        SummaryFact(CONTRACT, ID, "tests and lint pass, coverage at least 90 percent"),
        {
            KEPT: [
                "Contract: tests and lint pass, coverage ≥ 90%.",
                "Done when lint and tests pass with coverage of at least 90 %",
            ],
            ALTERED: ["Contract: tests and lint pass, coverage at least 80 percent"],
            LOST: ["Lint was run.", "The coverage report is in htmlcov."],
        },
    ),
    (
        SummaryFact(CONSTRAINT, ID, "Answer me in German, but write code comments in English."),
        {
            KEPT: [
                "Answer in German, but write code comments in English.",
                "The user wants answers in German and code comments written in English.",
            ],
            ALTERED: ["Answer in English, but write code comments in German."],
            LOST: ["The code has comments.", "The user speaks German."],
        },
    ),
    (
        SummaryFact(CONSTRAINT, ID, "Ask me before deleting anything in /srv/data"),
        {
            KEPT: [
                "Ask before deleting anything in /srv/data.",
                "Ask the user before removing anything in `/srv/data`.",
            ],
            ALTERED: ["Delete anything in /srv/data without asking.", "Ask before deleting anything in /srv/backup."],
            LOST: ["/srv/data holds 3 TB.", "Data was read."],
        },
    ),
]

CASES = [
    (outcome, fact, summary) for fact, told in FACTS for outcome, summaries in told.items() for summary in summaries
]
