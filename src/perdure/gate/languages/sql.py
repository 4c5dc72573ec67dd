"""Reads SQL that is given on a command line: do its statements only read?

Invariant: a statement that `read` accepts begins with a word that looks (`SELECT`, `SHOW`, …), has none of the words
with which a statement changes something, and calls only functions that are listed. It is read as tokens, and nothing
may hide one: comments, backslashes, `$`, and whatever else databases read in different ways are refused. What a view or
an operator of the database does is what the person put there.

    read("SELECT count(*) FROM t", POSTGRESQL) == ""
    read("SELECT setval('s', 1)", POSTGRESQL) == "calls setval(), which is not known to only read"
"""

from __future__ import annotations

import re

POSTGRESQL, MYSQL, SQLITE = "postgresql", "mysql", "sqlite"

_TOKEN = re.compile(
    r"""(?P<blank>\s++)
    |(?P<text>'(?:[^'\\]|'')*+'(?!'))
    |(?P<named>"(?:[^"\\]|"")*+"(?!")|`[^`\\]*+`)
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*+)
    |(?P<number>(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][-+]?[0-9]++)?+(?![A-Za-z0-9_]))
    |(?P<sign>::|--|/\*|[-+*/%<>=!|&^~?@#.,()\[\];])""",
    re.VERBOSE,
)
_FOREIGN = {POSTGRESQL: "`", MYSQL: "#@[]?&|", SQLITE: "[]#@&"}
"""Characters that are refused: they quote, begin a comment, or set something in one database or the other."""
_LOOKING = {
    POSTGRESQL: frozenset(("select", "with", "values", "table", "explain", "show")),
    MYSQL: frozenset(("select", "with", "values", "table", "explain", "show", "describe", "desc")),
    SQLITE: frozenset(("select", "with", "values", "explain")),
}
_CHANGING = frozenset(
    """insert update delete merge into create drop alter truncate copy call execute prepare grant revoke lock share
    listen notify refresh reindex vacuum cluster outfile dumpfile load handler import attach detach pragma uescape
    operator procedure security reset discard""".split()
)
_BEFORE_BRACKETS = frozenset(
    """all and any array as between by case cast cross distinct else end except exists explain filter from full group
    grouping having ilike in inner intersect interval is join lateral left like limit not of offset on or order outer
    over partition range recursive returning right row rows select sets similar some table then to union using values
    when where window with within materialized natural isnull notnull escape collate zone at analyze first next only
    fetch asc desc nulls regexp rlike xor div mod binary glob match plan query""".split()
)
"""Words after which a bracket begins no call."""
_FUNCTIONS = frozenset(
    """abs acos age array_agg array_length array_position array_to_json array_to_string ascii asin atan atan2 avg
    bit_and bit_count bit_length bit_or bool_and bool_or btrim cardinality cbrt ceil ceiling char char_length
    character_length chr coalesce col_description concat concat_ws conv convert corr cos cot count cume_dist curdate
    current_catalog current_database current_date current_role current_schema current_schemas current_time
    current_timestamp current_user curtime database date date_add date_bin date_diff date_format date_part date_sub
    date_trunc datediff datetime day dayname dayofmonth dayofweek dayofyear decode degrees dense_rank div elt encode
    every exp extract field find_in_set first_value floor format format_bytes format_type from_days from_unixtime
    gen_random_uuid generate_series generate_subscripts greatest group_concat grouping hex hour if ifnull iif in
    inet_aton inet_ntoa initcap instr isfinite json json_agg json_array json_array_elements json_array_elements_text
    json_array_length json_arrayagg json_build_array json_build_object json_contains json_depth json_each
    json_each_text json_extract json_extract_path json_extract_path_text json_group_array json_group_object json_keys
    json_length json_object json_object_agg json_object_keys json_objectagg json_pretty json_quote json_search
    json_table json_tree json_type json_typeof json_unquote json_valid json_value jsonb_agg jsonb_array_elements
    jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text
    jsonb_extract_path jsonb_extract_path_text jsonb_object_agg jsonb_object_keys jsonb_path_exists jsonb_path_query
    jsonb_pretty jsonb_strip_nulls jsonb_typeof julianday justify_days justify_hours justify_interval lag last_day
    last_value lcase lead least left length like likely ln locate log log10 log2 lower lpad ltrim make_date
    make_interval make_timestamp make_timestamptz max md5 mid min minute mod mode month monthname now nth_value ntile
    nullif num_nonnulls num_nulls obj_description octet_length ord overlay percent_rank percentile_cont
    percentile_disc period_diff pg_column_size pg_database_size pg_encoding_to_char pg_get_constraintdef pg_get_expr
    pg_get_functiondef pg_get_indexdef pg_get_serial_sequence pg_get_triggerdef pg_get_userbyid pg_get_viewdef
    pg_index_column_has_property pg_indexes_size pg_is_in_recovery pg_postmaster_start_time pg_relation_size
    pg_size_bytes pg_size_pretty pg_table_is_visible pg_table_size pg_tablespace_size pg_total_relation_size
    pg_typeof pi position pow power printf quarter quote quote_ident quote_literal radians rand random rank
    regexp_count regexp_instr regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array
    regexp_split_to_table regexp_substr repeat replace reverse right round row_number row_to_json rpad rtrim second
    session_user sha1 sha2 sha256 shobj_description sign sin split_part sqlite_version sqrt starts_with stddev
    stddev_pop stddev_samp str_to_date strftime string_agg string_to_array string_to_table strpos substr substring
    substring_index sum tan time time_to_sec timediff timestamp timestampadd timestampdiff timezone to_char to_date
    to_days to_hex to_json to_jsonb to_number to_regclass to_timestamp total translate trim trunc
    typeof ucase unhex unicode unixepoch unix_timestamp unlikely unnest upper user utc_date utc_timestamp uuid
    var_pop var_samp variance version week weekday width_bucket year yearweek has_table_privilege
    has_schema_privilege has_database_privilege pragma_table_info pragma_table_list pragma_index_list
    numeric decimal varchar character bit""".split()
)
"""Functions of the databases themselves that change nothing; and types that have a size."""
_PRAGMA_TABLES = frozenset(
    """pragma_table_info pragma_table_xinfo pragma_table_list pragma_index_list pragma_index_info pragma_index_xinfo
    pragma_foreign_key_list pragma_database_list pragma_compile_options pragma_function_list pragma_module_list
    pragma_pragma_list pragma_collation_list""".split()
)


def read(text: str, dialect: str) -> str:
    """Why one of the statements may change something; '' where all only read."""
    statement: list[tuple[str, str]] = []
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None or found.group() in _FOREIGN[dialect] or found.group() in ("--", "/*"):
            return f"not understood: unexpected `{text[at : at + 2]}`"
        at = found.end()
        kind, token = found.lastgroup or "", found.group()
        if kind == "named" and token[0] in _FOREIGN[dialect]:
            return f"not understood: unexpected `{token[0]}`"
        if token == ";":
            if why := _statement(statement, dialect):
                return why
            statement = []
        elif kind != "blank":
            statement.append((kind, token.lower()))
    return _statement(statement, dialect)


def _statement(tokens: list[tuple[str, str]], dialect: str) -> str:
    if not tokens:
        return ""
    if tokens[0][1] not in _LOOKING[dialect] and tokens[0][1] != "(":
        return f"`{tokens[0][1]}` begins no statement that is known to only read"
    for place, (kind, token) in enumerate(tokens):
        before = tokens[place - 1][1] if place else ""
        if why := _changes(kind, token, before, is_second=place == 1):
            return why
        if dialect == SQLITE and _is_pragma(token):
            return f"`{token}` may set something"
        if token == "(" and place and (why := _called(tokens[:place][-2:])):
            return why
    return ""


def _changes(kind: str, token: str, before: str, *, is_second: bool) -> str:
    """Why a word may change something; `show create` only shows."""
    if token == "nextval" or (token, before) == ("value", "next"):
        return "takes the next value of a sequence"
    shows = is_second and (before, token) == ("show", "create")
    return f"`{token}` may change data" if kind == "name" and token in _CHANGING and not shows else ""


def _is_pragma(token: str) -> bool:
    """Whether it names a pragma as a table, and not one that only looks: `pragma_optimize` writes what it counted."""
    name = token.strip('"`')
    return name.startswith("pragma_") and name not in _PRAGMA_TABLES


def _called(before: list[tuple[str, str]]) -> str:
    """Why what stands before a bracket, the last of these tokens, may be a call that does more than read."""
    kind, token = before[-1]
    if kind in ("text", "named"):
        return "calls a function by a quoted name"
    if kind != "name":
        return ""
    if len(before) > 1 and before[0][1] == ".":
        return f"calls {token}() of a schema, which is not known to only read"
    if token in _FUNCTIONS or token in _BEFORE_BRACKETS:
        return ""
    return f"calls {token}(), which is not known to only read"
