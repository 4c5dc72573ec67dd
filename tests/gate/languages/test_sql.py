"""Statements of SQL that only read are told from those that may do more (SPEC 5.4)."""

from __future__ import annotations

import pytest

from perdure.gate.languages.sql import MYSQL, POSTGRESQL, SQLITE, read

READ = [
    ("SELECT count(*) FROM t WHERE a IN (1, 2) AND b LIKE 'x%'", POSTGRESQL),
    ("select 1; select 2;", POSTGRESQL),
    ("with a as (select 1) select * from a", POSTGRESQL),
    ("select \"camelCase\", b::text, c ->> 'd', e[1] from \"T\" where f = 'it''s; drop table x'", POSTGRESQL),
    ("explain (analyze, buffers) select now() - interval '1 day'", POSTGRESQL),
    ("show server_version", POSTGRESQL),
    ("show create table `users`", MYSQL),
    ("select date_format(a, '%Y'), \"text\" from t group by 1 limit 3", MYSQL),
    ("describe t", MYSQL),
    ("select json_extract(a, '$.b') from t order by random()", SQLITE),
    ("", SQLITE),
]
CHANGE = [
    ("delete from t", POSTGRESQL),
    ("select 1; drop table x", POSTGRESQL),
    ("(delete from t)", POSTGRESQL),
    ("select * into new from t", POSTGRESQL),
    ("with d as (update t set a = 1 returning *) select * from d", POSTGRESQL),
    ("select setval('s', 1)", POSTGRESQL),
    ("select public.count(1)", POSTGRESQL),
    ('select "setval"(1)', POSTGRESQL),
    ("select setval /**/ (1)", POSTGRESQL),
    ("select E'a\\'; drop table t; select '", POSTGRESQL),
    ("select $$a$$; drop table x", POSTGRESQL),
    ("select :variable", POSTGRESQL),
    ("select `touch x`", POSTGRESQL),
    ("select 1 operator(public.+) 2", POSTGRESQL),
    ("select * from t for update", POSTGRESQL),
    ("show all; set x = 1", POSTGRESQL),
    ("select 'not ended", POSTGRESQL),
    ("select 1 # '\n; drop table t # '", MYSQL),
    ("select @x := 1", MYSQL),
    ("select 1 into outfile 'x'", MYSQL),
    ("describe t; truncate t", MYSQL),
    ("select [a](1)", SQLITE),
    ("select writefile('x', 'y')", SQLITE),
    ("select 'edit'('a', 'touch x')", SQLITE),
    ("attach 'x' as y", SQLITE),
    ("show tables", SQLITE),
    ("select * from pragma_optimize", SQLITE),
    ("select * from main.\"pragma_journal_mode\" where arg = 'delete'", SQLITE),
    ("desc analyze delete a from a join b", MYSQL),
    ("describe analyze update t set a = 1", MYSQL),
    ("select next value for s", MYSQL),
    ("select s.nextval", MYSQL),
]


@pytest.mark.parametrize(("text", "dialect"), READ)
def test_a_statement_that_only_reads_is_accepted(text: str, dialect: str) -> None:
    assert read(text, dialect) == ""


@pytest.mark.parametrize(("text", "dialect"), CHANGE)
def test_a_statement_that_may_change_something_is_refused(text: str, dialect: str) -> None:
    assert read(text, dialect)


def test_reading_is_linear_in_the_text() -> None:
    assert read("select " + "'" * 100_001, POSTGRESQL)
    assert read("select " + "(" * 50_000 + "1" + ")" * 50_000, POSTGRESQL) == ""
