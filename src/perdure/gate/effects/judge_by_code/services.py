"""Judges the statements and operations of psql, sqlite3, redis-cli and aws: which of them only read?"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from perdure.gate.effects.builtins import ProgramCall
    from perdure.gate.effects.cards import Match
    from perdure.gate.shell.words import Field


PSQL = re.compile(
    r"\\(?:d[A-Za-z]{0,3}\+?|l\+?|z|conninfo|sf\+?|sv\+?|encoding|dn\+?)S?\+?(?:[ \t]+[\w.*?\"$]+)*[ \t]*"
)
DATABASE = re.compile(r"[\w.-]+|postgres(?:ql)?://[^?\s`]+")


def psql(call: ProgramCall, found: Match) -> str:
    for field in found.values_of("-c", "--command"):
        if field.text is None or not PSQL.fullmatch(field.text):
            return "a statement may change data; only commands such as \\dt are known to look"
    for field in (*found.values_of("-d", "--dbname"), *found.operands[:1]):
        if field.text is None or not DATABASE.fullmatch(field.text):
            return "a connection with settings can load code or write files"
    return ""


DOTS = frozenset(
    """.tables .schema .databases .indexes .indices .fullschema .dbinfo .show .stats .dump .headers .mode .lint
    .version""".split()
)
FUNCTIONS = frozenset(
    """abs avg changes char coalesce concat concat_ws count cume_dist date datetime dense_rank exists filter
    first_value format glob group_concat hex if ifnull iif in instr json json_array json_array_length json_each
    json_extract json_group_array json_group_object json_object json_quote json_tree json_type json_valid julianday
    lag last_value lead length like likely lower ltrim max min nth_value ntile nullif over and or not as by on when
    then else where having select from values using limit printf quote rank replace round row_number rtrim sign
    sqlite_version strftime string_agg substr substring sum time timediff total trim typeof unicode unixepoch upper
    random between case is union all distinct pragma_table_info pragma_table_list pragma_index_list""".split()
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
    text = text.strip().rstrip(";").strip()
    low = re.sub(r"'[^']*'", "''", text).lower()
    if any(letter in text for letter in '"`[]'):
        return "quoted names are not read"
    if ";" in low or "--" in text or "/*" in text:
        return "only one statement is read"
    pragma = re.fullmatch(r"pragma\s+(\w+)\s*(\(\s*[\w'\".]+\s*\))?", low)
    return _sqlite_pragma(pragma[1], pragma[2]) if pragma else _sqlite_query(low)


def _sqlite_pragma(name: str, argument: str | None) -> str:
    looks = name in PRAGMAS or (name in PLAIN_PRAGMAS and not argument)
    return "" if looks else "this pragma may set something"


def _sqlite_command(text: str) -> str:
    """A command of sqlite's own shell, such as `.tables`."""
    words = text.split()
    is_alone = not any(sign in text for sign in "\n;|")
    looks = is_alone and words and words[0] in DOTS
    return "" if looks else "a command of the shell may write or run something"


def _sqlite_query(low: str) -> str:
    """A query, in lower case and without the texts in its quotes."""
    begins = re.match(r"(select|explain\s+(query\s+plan\s+)?select|with|values)\b", low)
    if not begins or re.search(r"\b(insert|update|delete|attach|vacuum|create|drop|alter|into)\b", low):
        return "a statement that may change data"
    if re.search(r"'\s*\(", low):
        return "calls a function by a quoted name"
    for called in re.findall(r"([a-z_][\w$]*)\s*\(", low):
        if called not in FUNCTIONS:
            return f"calls {called}(), which is not known to only read"
    return ""


def sqlite(call: ProgramCall, found: Match) -> str:
    if len(found.operands) < 2:
        return "takes statements from its input"
    if found.operands[0].text is None or found.operands[0].text.startswith(("file:", "|")):
        return "how the database is opened is not known"
    for field in found.operands[1:]:
        why = "its statement is not known before it runs" if field.text is None else _sqlite_statement(field.text)
        if not why and not found.has("-safe") and _may_read_a_view(field.text or ""):
            why = "a view in the database may call edit(), which runs a program; -safe keeps it from that"
        if why:
            return why
    return ""


def _may_read_a_view(statement: str) -> bool:
    """Whether it reads a table by name, other than the list of tables: the name may be a view's."""
    words = re.sub(r"[(),;]", " ", statement.lower()).split()
    after = [words[place + 1] for place, word in enumerate(words[:-1]) if word in ("from", "join")]
    plain = len(after) == words.count("from") + words.count("join") and "with" not in words and "," not in statement
    return bool(after) and not (plain and {"sqlite_master", "sqlite_schema"}.issuperset(after))


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
