"""Judges the statements and operations of psql, mysql, sqlite3, redis-cli and aws: which of them only read?"""

from __future__ import annotations

import os
import re

from perdure.gate.effects import targets
from perdure.gate.languages import sql
from perdure.gate.shell.words import ENVIRONMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.gate.effects.builtins import ProgramCall
    from perdure.gate.effects.cards import Match
    from perdure.gate.shell.words import Field


PSQL = re.compile(
    r"\\(?:d[A-Za-z]{0,3}\+?|l\+?|z|conninfo|sf\+?|sv\+?|encoding|dn\+?)S?\+?(?:[ \t]+[\w.*?\"$]+)*[ \t]*"
)
DATABASE = re.compile(r"[\w.-]+|postgres(?:ql)?://[^?\s`]+")


def connection(call: ProgramCall, found: Match) -> str:
    for field in (*found.values_of("-d", "--dbname"), *found.operands[:1]):
        if field.segments != (ENVIRONMENT,) and not DATABASE.fullmatch(field.text or " "):
            return "a connection with settings can load code or write files"
    return ""


def psql(call: ProgramCall, found: Match) -> str:
    if why := connection(call, found):
        return why
    for field in found.values_of("-v", "--set", "--variable"):
        if not HARMLESS_SETTING.fullmatch(field.text or ""):
            return "a variable may change what it runs"
    commands = found.values_of("-c", "--command")
    if commands or found.has("-l", "--list"):
        return next((why for field in commands if (why := _psql_command(field))), "")
    return _held_statements(call, sql.POSTGRESQL)


HARMLESS_SETTING = re.compile(r"(?:ON_ERROR_STOP|VERBOSITY|ECHO|QUIET)=\w*")


def _psql_command(field: Field) -> str:
    if field.text is None:
        return "its statement is not known before it runs"
    return "" if PSQL.fullmatch(field.text) else sql.read(field.text, sql.POSTGRESQL)


def _held_statements(call: ProgramCall, dialect: str) -> str:
    """Why the statements on its standard input may change something. They are known where they stand in a heredoc."""
    held = call.held
    return "takes statements from its input" if held is None else sql.read(held, dialect)


def mysql(call: ProgramCall, found: Match) -> str:
    statements = found.values_of("-e", "--execute")
    if not statements:
        return "takes statements from its input" if call.held is None else _mysql_statements(call.held)
    for field in statements:
        if field.text is None:
            return "its statement is not known before it runs"
        if why := _mysql_statements(field.text):
            return why
    return ""


MYSQL_COMMAND = re.compile(
    r"^\s*(?:system|source|tee|pager|edit|connect|delimiter|use)\b", re.IGNORECASE | re.MULTILINE
)
MYSQL_END = re.compile(r"\\[gG]\s*(;|$)")


def _mysql_statements(text: str) -> str:
    if MYSQL_COMMAND.search(text):
        return "a line begins as a command of its own does"
    return sql.read(MYSQL_END.sub(";", text), sql.MYSQL)


DOTS = frozenset(
    """.tables .schema .databases .indexes .indices .fullschema .dbinfo .show .stats .dump .headers .mode .lint
    .version""".split()
)
PRAGMAS = frozenset("table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list".split())
PLAIN_PRAGMAS = frozenset(
    """database_list compile_options integrity_check quick_check user_version schema_version page_count page_size
    freelist_count encoding journal_mode foreign_keys collation_list function_list module_list pragma_list
    application_id auto_vacuum cache_size""".split()
)


def _sqlite_statement(text: str) -> str:
    """Why a statement may change something; '' where it only reads."""
    if "\n." in text or text.startswith("."):
        return _sqlite_command(text)
    statements = [text] if "'" in text or '"' in text else text.split(";")
    return next((why for each in statements if (why := _sqlite_one(each.strip().rstrip(";").strip()))), "")


def _sqlite_one(text: str) -> str:
    pragma = re.fullmatch(r"pragma\s+(\w+)\s*(\(\s*[\w'\".]+\s*\))?", text.lower())
    return _sqlite_pragma(pragma[1], pragma[2]) if pragma else sql.read(text, sql.SQLITE)


def _sqlite_pragma(name: str, argument: str | None) -> str:
    looks = name in PRAGMAS or (name in PLAIN_PRAGMAS and not argument)
    return "" if looks else "this pragma may set something"


def _sqlite_command(text: str) -> str:
    """A command of sqlite's own shell, such as `.tables`."""
    words = text.split()
    is_alone = not any(sign in text for sign in "\n;|")
    looks = is_alone and words and words[0] in DOTS
    return "" if looks else "a command of the shell may write or run something"


def sqlite(call: ProgramCall, found: Match) -> str:
    texts = [field.text for field in found.operands]
    statements = [text for text in texts[1:] if text is not None]
    if len(texts) < 2:
        return "takes statements from its input"
    if texts[0] is None or not _is_opened_plainly(texts[0]):
        return "how the database is opened is not known"
    if len(statements) < len(texts) - 1:
        return "its statement is not known before it runs"
    why = next((why for text in statements if (why := _sqlite_statement(text))), "")
    return why or _why_opening_changes(call, found, texts[0], statements=statements)


IMMUTABLE = "?mode=ro&immutable=1"


def _is_opened_plainly(name: str) -> bool:
    """Whether it names a file; or one that is opened as if nobody wrote to it, with nothing made beside it."""
    if name.startswith("file:"):
        return bool(re.fullmatch(r"file:[\w./-]+", name.removesuffix(IMMUTABLE))) and name.endswith(IMMUTABLE)
    return not name.startswith("|")


def _why_opening_changes(call: ProgramCall, found: Match, name: str, *, statements: list[str]) -> str:
    database = _Database(call, name.removeprefix("file:").removesuffix(IMMUTABLE))
    if name == ":memory:" or database.cannot_be_there():
        return ""
    is_immutable = name.startswith("file:")
    reads = is_immutable or found.has("-readonly", "--readonly")
    why = "" if reads else database.why_it_changes()
    why = why or ("" if is_immutable else database.why_it_leaves_files())
    if why or found.has("-safe") or database.is_the_persons() or not any(map(_may_read_a_view, statements)):
        return why
    return "a view or a check in the database may call edit(), which runs a program; -safe keeps it from that"


BESIDE = ("-wal", "-shm", "-journal")
"""How the names of the files end that SQLite keeps beside a database: what stands there is written into it."""


WAL_MODE = b"\x02\x02"
"""What stands at the 18th byte of a database that keeps a write-ahead log."""


class _Database:
    """The file that sqlite3 opens, in every folder in which it may run."""

    def __init__(self, call: ProgramCall, name: str) -> None:
        self.call, self.world = call, call.walk.world
        folders = call.here.folders or ()
        self.paths = [self.world.disk.real(os.path.join(folder, name)) for folder in folders]

    def why_it_changes(self) -> str:
        """Opening a database for writing leaves it as it is if it is there and no journal waits beside it."""
        if not self.paths:
            return "opens a database for writing, in a folder that is not known; with -readonly -safe it only reads"
        for path in self.paths:
            folder, _, name = path.rpartition("/")
            names = self.world.disk.names_in(folder or "/")
            if name not in names or self.world.disk.is_folder(path):
                return "makes the database where there is none; with -readonly it does not"
            if not names.isdisjoint(name + end for end in BESIDE):
                return "would write what waits in a journal into the database; with -readonly -safe it only reads"
        return ""

    def why_it_leaves_files(self) -> str:
        """In WAL mode sqlite3 makes the files beside a database, and leaves them there if it only reads or fails."""
        if not self.paths:
            return "may leave files beside the database, in a folder that is not known"
        for path in self.paths:
            folder, _, name = path.rpartition("/")
            in_wal_mode = self.world.disk.first_bytes(path)[18:20] == WAL_MODE
            if in_wal_mode and not {name + "-wal", name + "-shm"} <= self.world.disk.names_in(folder or "/"):
                return f"may leave a -wal and a -shm file beside the database; 'file:{name}{IMMUTABLE}' does not"
        return ""

    def cannot_be_there(self) -> bool:
        """In a folder that is not there sqlite3 opens and makes no file, unless the same command makes the folder."""
        absent = not any(self.world.disk.is_folder(path.rpartition("/")[0] or "/") for path in self.paths)
        reason = "sqlite3 opens a database in a folder that the same command may make"
        self.call.walk.shared.assumed_harmless.append((reason, self.call.part))
        return absent and bool(self.paths)

    def is_the_persons(self) -> bool:
        """Whether it did not come with the repository, and nobody else can have put it there."""
        world = self.world
        return bool(self.paths) and not any(
            targets.is_below(path, world.base) or targets.is_scratch(path, world) for path in self.paths
        )


def _may_read_a_view(statement: str) -> bool:
    """Whether it reads a table by name, other than the list of tables: the name may be a view's. A check of the
    database evaluates the conditions of its tables, which can do what a view can."""
    words = re.findall(r"\w+|[^\w\s]", statement.lower())
    pairs = zip(words, [*words[1:], ""], strict=True)
    after = {name for word, name in pairs if word in ("from", "join") or (word == "in" and name != "(")}
    plain = {"with", ","}.isdisjoint(words) and after <= {"sqlite_master", "sqlite_schema"}
    return (bool(after) and not plain) or not {"integrity_check", "quick_check"}.isdisjoint(words)


def own_configuration(call: ProgramCall, found: Match) -> str:
    """supervisorctl obeys `supervisord.conf` of its folder, whose plug-ins call any function of Python."""
    folders = call.here.folders
    if folders is None:
        return "obeys the configuration of its folder, which is not known"
    disk = call.walk.world.disk
    for folder in folders:
        for where in (folder, f"{folder}/etc"):
            if "supervisord.conf" in disk.names_in(where) or targets.is_scratch(where + "/.", call.walk.world):
                return f"obeys supervisord.conf in {where}, which can load code"
    return ""


REDIS = frozenset(
    """ping echo time info dbsize lastsave role get mget getrange strlen exists type ttl pttl expiretime pexpiretime
    keys scan randomkey dump llen lrange lindex lpos hget hmget hgetall hkeys hvals hlen hexists hstrlen hscan scard
    smembers sismember smismember srandmember sscan sinter sunion sdiff zcard zcount zscore zmscore zrange
    zrangebyscore zrevrange zrank zrevrank zscan zlexcount bitcount bitpos getbit geopos geodist geohash xlen xrange
    xrevrange xpending pfcount json.get json.type json.mget json.objkeys ft.info ft._list""".split()
)
REDIS_TWO = frozenset(
    """config-get client-list client-info client-id client-getname memory-usage memory-stats memory-doctor
    object-encoding object-freq object-idletime object-refcount object-help slowlog-get slowlog-len cluster-info
    cluster-nodes cluster-slots cluster-shards cluster-myid command-count command-list command-docs command-info
    xinfo-stream xinfo-groups xinfo-consumers pubsub-channels pubsub-numsub pubsub-numpat acl-whoami acl-list
    acl-users acl-cat latency-latest latency-history latency-doctor module-list script-exists function-list
    debug-help""".split()
)


MEASURES = ("--stat", "--latency", "--bigkeys", "--memkeys", "--hotkeys", "--scan")


def redis(call: ProgramCall, found: Match) -> str:
    if found.has(*MEASURES):
        return ""
    words = [field.text.lower() if field.text is not None else None for field in found.operands]
    if not words:
        return "takes commands from its input"
    reads = words[0] in REDIS or (len(words) > 1 and f"{words[0]}-{words[1]}" in REDIS_TWO)
    return "" if reads else "the command may change data"


AWS_SERVICES = frozenset(
    """acm apigateway apigatewayv2 application-autoscaling athena autoscaling backup batch budgets ce cloudformation
    cloudfront cloudtrail cloudwatch codebuild codecommit codedeploy codepipeline cognito-idp configservice dynamodb
    ec2 ecr ecs efs eks elasticache elasticbeanstalk elb elbv2 emr events firehose glue guardduty health iam
    inspector2 kafka kinesis kms lambda lightsail logs opensearch organizations pricing rds redshift
    resourcegroupstaggingapi route53 route53domains s3api sagemaker secretsmanager securityhub service-quotas
    servicediscovery ses sesv2 sns sqs ssm sso-admin stepfunctions sts support wafv2""".split()
)
AWS_OUTFILES = frozenset(
    """s3api-get-object s3api-get-object-torrent s3api-get-object-annotation cloudfront-get-connection-function
    stepfunctions-get-activity-task redshift-get-cluster-credentials apigateway-get-export apigateway-get-sdk
    cloudfront-get-function""".split()
)
AWS_ALSO = frozenset(
    """s3-ls configure-list configure-list-profiles configure-get logs-tail logs-filter-log-events dynamodb-query
    dynamodb-scan dynamodb-batch-get-item cloudtrail-lookup-events sts-decode-authorization-message
    s3api-head-object s3api-head-bucket ecr-batch-get-image ssm-describe-parameters""".split()
)
AWS_VERB = re.compile(r"(?:describe|list|get)-[a-z0-9-]+")
AWS_REFUSED = ("--endpoint-url", "--cli-auto-prompt", "--cli-input")


def aws_verb(call: ProgramCall, found: Match) -> str:
    """The first two operands are the service and the operation. The options after them are operands here too, because
    the card has `stops`."""
    if len(found.operands) < 2:
        return "no operation is named"
    service, operation = (field.text for field in found.operands[:2])
    if service is None or operation is None:
        return "the operation is not known before it runs"
    if not _aws_looks(service, operation):
        return f"`{service} {operation}` is not an operation that is known to only read"
    return next((why for field in found.operands[2:] if (why := _aws_option(field))), "")


def _aws_looks(service: str, operation: str) -> bool:
    both = f"{service}-{operation}"
    if both in AWS_ALSO:
        return True
    reads = AWS_VERB.fullmatch(operation) and both not in AWS_OUTFILES
    return service in AWS_SERVICES and (bool(reads) or operation == "wait")


def _aws_option(field: Field) -> str:
    """Why a word may be an option that writes a file or reaches another machine."""
    if field.text is None and field.may_be_option:
        return f"`{field.shown()}` is not known before it runs and may be an option"
    option = (field.text if field.text is not None else field.prefix).partition("=")[0]
    if option.startswith("--") and any(r.startswith(option) or option.startswith(r) for r in AWS_REFUSED):
        return f"the option `{option}` is not known to only read"
    return ""
