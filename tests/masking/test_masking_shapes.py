# ruff: noqa: E501 – one kind of sample a line
"""Our own shapes: what is given by name, by option, in a block or in a sentence – and what only looks so."""

from __future__ import annotations

import random
import re

import pytest

from perdure.masking import _ruleset, mask_text
from perdure.masking._goregex import to_python
from tests.effort import for_each

from .masking_samples import Dice
from .masking_sampling import sample

GIVEN = [
    # environment and shell
    *("PASSWORD=«letmein»", "export DB_PASS='«hunter2»'", "set SECRET_KEY=«abc123xyz»", "ENV API_TOKEN=«abcdef12» \\"),
    *("POSTGRES_PASSWORD=«correcthorse» docker compose up", "DB_PASSWORD=«p@ss,w0rd;&x»", "MYSQL_PWD=«hunter2» mysql"),
    *("url: ${DB_PASSWORD:-«hunter2»}", "FOO=1 TOKEN_PROD=«abcdef12»; echo", 'PASSPHRASE="«correct horse battery staple»"'),
    # configuration
    *("password = «hunter2»\n", "password: «letmein»\n", "  password: «s3cr3t» # staging\n", "- secret: «Zx81kLm92QwErt»"),
    *('password: "«hunter2»"', "password: '«let me in now»'", '"password" : "«hunter2»"', "'password' => '«hunter2»',"),
    *('"clientSecret":"«abcDEF123456»"', "spring.datasource.password=«hunter2»", "passwd: «hunter!two»"),
    *("_auth_token = «f3a9c2e17b64»", '"api_key": "«0123456789a»"', "secret_key_base: «{hex}»"),
    # code
    *('password = "«hunter2»"', 'self.password: str = "«hunter2»"', 'login(user="a", password="«hunter2»")', 'PASSWORD := "«hunter2»"'),
    *('token = b"«a1b2c3d4»"', 'const apiKey = `«a1b2c3d4e5»`;', 'password = """«hunter2»"""', 'cfg["password"] = "«hunter2»"'),
    *(r'{\"password\": \"«hunter2»\"}', r'password = "«pa\"ss1»"', 'password="«unclosed1»'),
    # queries and data sources
    *("https://a.dev/?user=x&password=«hunter2»&x=1", "host=db password=«letmein» user=x", "Pwd=«hunter2»;Server=x"),
    *("GET /x?api_key=«a1b2c3d4e5f6» HTTP/1.1", "jdbc:mysql://h/db?user=u&password=«hunter2»"),
    # options
    *("tool --password «letmein» go", "tool --token='«a1b2c3»'", "tool --client-secret «a1b2c3d4»", "tool --api-key=«abcdef»"),
    *("curl -u 'me:«hunter2»' x", "curl -sS -X POST -uadmin:«hunter2» x", "wget --user me:«hunter2» x", "curl \\\n  -u me:«hunter2» \\\n x"),
    *("sshpass -p«hunter2» ssh x", "mysqldump -h db -u root -p«hunter2» shop", "docker login r.io -u me -p '«hunter2»'"),
    # headers
    *("Authorization: Bearer «abc123»", "authorization=Basic «dXNlcjpwYXNz»", "'Authorization': `Token «0a1b2c3d»`", "X-Auth-Token: «a1b2c3d4e5f6g7»"),
    *("Cookie: «sid=a1b2c3d4; theme=dark»", "set-cookie: «session=abcdef123; Path=/; HttpOnly»\r\n", "a bearer «abcdef0123456789» token"),
    # addresses
    *("ftp://me:«hunter2»@host/x", "postgresql+asyncpg://u:«p%40ss»@h/d", "amqp://u:«p@ss»@h", "https://«{hex}»@h.dev/x"),
    # sentences
    *("the password is «hunter2».", "The passphrase was: `«hunter2»`", 'token is "«a1b2c3d4e5f6-g»"', "my api key is «a1b2c3d4-e5f6g7»"),
    *("use «hunter22xyz» as the password", 'please use "«s3cr3tPass!»" as the db password', "the password should be «hunter22xyz»"),
    *("the JWT_SECRET is «hunter2x»", "JWT_SECRET was set to «hunter2x»", "JWT_SECRET: «mysupersecret123»", "API_TOKEN = «hunter2x»"),
    *('SESSION_SECRET="«kitten-42-dance»"', "JWT_SECRET => «hunter2x»", "docker run -e WEBHOOK_SECRET=«hunter2x» shop"),
    # without a verb or a sign
    *("the new password «Tr0ub4dor3» works", "new password «Summer2024»", "default password «kR4t0s9x»", "pw «Tr0ub4dor»", "pass: «S3cr3t!x»"),
    *("credentials admin «Tr0ub4dor3»", "creds: admin «Tr0ub4dor3»", "credentials for staging admin «S3cr3t!x»", "creds for db2: root «h4rb0ur77»"),
    *("my password is «correcthorsebatterystaple».", "the password is «velvetlanternharbour»"),
    # sessions, bearers and signed addresses
    *("sessionid=«8f3k2j5h6g7d8s9a0q1w2e3r4t5y6u7i»", "PHPSESSID=«{hex}»", "x; JSESSIONID=«A0B1C2D3E4F5A6B7C8D9E0F1A2B3C4D5»"),
    *("bearer «abc123def456» was refused", "Bearer «token8f3k2j5h6g»", "https://x.dev/f?sig=«8f3k2j5h6g7d8s9a%3D»"),
    *("https://x.dev/f?id=1&signature=«8f3k2j5h6g7d8s9a»&x=1", "/f?sign=«q9Xk2LmZ81aTbV»"),
    # files
    *("machine h login me password «hunter2»", "ALTER USER x PASSWORD '«hunter2»'", "<apiKey>«a1b2c3»</apiKey>", "identified by '«letmein»'"),
]  # fmt: skip

NOT_GIVEN = [
    *("password", "password:", "password: ", "password=", 'password=""', "password = None", "password: str", "password: str,"),
    *("PASSWORD=$1", "PASSWORD=${1}", 'PASSWORD="$PW"', "PASSWORD=%PW%", "password={password}", 'f"password={password}"'),
    *("token = token", "token=token", "token=self.token", "token = next(tokens)", "token = tokens[0]", "token: Token", "token=None)"),
    *("password=password", "password=pw,", "password=pw)", "password = user_input", "password = args.password", "password=form['pw']"),
    *("secret: my-tls-cert\n", "secretName: db-creds-2", "token: header\n", 'token = "access_token"', '"token": "string"', "TOKEN=OTHER_TOKEN"),
    *("use argon2id as the password hash", "use UUIDs as the primary key", "use pbkdf2 as the password hasher", "use WAL2 as the journal"),
    *("the password should be hashed with sha256", "JWT_SECRET must be set", "JWT_SECRET is missing in .env2", "JWT_SECRET: string"),
    *("set JWT_SECRET to $SECRET2", "API_TOKEN = os.environ['T2']", "CACHE_KEY: user_12", "JWT_SECRET = load_secret2()", "MAX_TOKEN: 4096"),
    *("api_key: required", "the key: value2 pairs", "key=value123456", "cache_key = 'user:123:profile'", "primary_key=True", "sort_key: date2"),
    *("max_token=4096", "token=5", "TOKEN=12345", "USE_TOKEN=1", "token_limit=100k", "SECRET_VERSION=v2", "token: v1.2.3-beta.4", "token: 2026-01-02"),
    *("Passwords: see 1Password", "token: see docs/auth2.md", "password: ********", "password: <redacted>", "pass: 12", "PASS: test_2"),
    *("--password-stdin", "--token-file /x/y2", "--key path2", "use --token or", "--password PASSWORD", "--secret id=npm,src=x1", "--password $PW"),
    *("curl -u user", "curl -u $USER:$PASS x", "git push -u origin main2", "docker run -u 1000:1000 x", "mysql -p shop2 -P3306", "mkdir -p a1b2"),
    *("Authorization: required", "authorization: Bearer <token>", "authorization = build_header2(x)", "bearer of bad news", "cookie: theme=dark"),
    *("http://localhost:8080", "http://user@host", "mailto:a@b.c", "http://u:$PW@h", "http://u:pass@h", "http://user:password@host"),
    *("the password is wrong", "the password is base64-encoded", "token is 24h valid", "the token is sha256-hashed", "password is 8-char"),
    *("password 'must be set'!", "<password></password>", "<token>string</token>", "machine learning login password", "sorted by 'name'"),
    *("arn:aws:secretsmanager:us-west-2:123456789012:secret:proxy-Ab1c2d", "secret:", "k8s.io/secret: db2"),
    *("-----BEGIN RSA PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----", "-----BEGIN PUBLIC KEY-----\n{hex}"),
    *("kind: Secret\nmetadata:\n  name: db", "kind: ConfigMap\ndata:\n  a: bcdefghijkl", "kind: Secret\ndata:\n  a: ${A}\n"),
]  # fmt: skip


def filled(text: str) -> str:
    return text.replace("{hex}", Dice("shapes").hex(40))


@for_each("marked", GIVEN)
def test_the_value_and_nothing_else_is_masked(marked: str) -> None:
    before, secret, after = re.split("[«»]", filled(marked))
    masked, count = mask_text(before + secret + after)
    assert count == 1
    assert re.fullmatch(re.escape(before) + r"\[masked:[a-z0-9-]+\]" + re.escape(after), masked), masked


@for_each("text", NOT_GIVEN)
def test_what_is_not_a_value_is_left_alone(text: str) -> None:
    assert mask_text(filled(text)) == (filled(text), 0)


def test_every_entry_of_a_kubernetes_secret_is_masked() -> None:
    yaml = "apiVersion: v1\nkind: Secret\ndata:\n  user: YWRtaW4=\n  pass: aHVudGVyMg==\ntype: Opaque\n"
    masked, count = mask_text(yaml)
    assert count == 2
    assert "YWRtaW4=" not in masked
    assert "aHVudGVyMg==" not in masked
    assert masked.endswith("\ntype: Opaque\n")
    json = '{"data": {"user": "YWRtaW4=", "pass": "aHVudGVyMg=="}, "kind": "Secret", "metadata": {"name": "db"}}'
    masked, count = mask_text(json)
    assert count == 2
    assert '"kind": "Secret", "metadata": {"name": "db"}}' in masked


def test_a_private_key_is_masked_as_far_as_it_goes() -> None:
    line = Dice("pem").base64(64)
    header, footer = "-----BEGIN RSA PRIVATE" + " KEY-----", "-----END RSA PRIVATE" + " KEY-----"
    for newline in ("\n", "\r\n", "\\n", "\\\\n", " ", "\n    ", "\n> "):
        body = newline.join([header, line, line, "abcd=="])
        assert mask_text(f"x {body}{newline}{footer} y") == ("x [masked:private-key] y", 1)
        assert mask_text(f"x {body}") == ("x [masked:private-key]", 1)
    encrypted = f"{header}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n{line}\n{footer}"
    assert mask_text(encrypted) == ("[masked:private-key]", 1)
    assert mask_text(f"{header}\n{line}\n\nThe rest is missing.") == ("[masked:private-key]\n\nThe rest is missing.", 1)
    assert mask_text(f"{header}\n{line}\n{footer}\n{header}\n{line}\n{footer}") == (
        "[masked:private-key]\n[masked:private-key]",
        2,
    )


def test_a_longer_key_than_its_rule_knows_is_masked_to_its_end() -> None:
    token = "ghp" + "_" + Dice("longer").alnum(60)
    assert mask_text(f"({token})") == ("([masked:github-pat])", 1)


CURL = [
    "curl -H 'Authorization: Bearer {}' https://a.dev",
    'curl -X POST --header "Authorization: Token {}" https://a.dev',
    "curl https://a.dev \\\n  -H 'X-Api-Key: {}'",
    "curl -H 'Authorization: {}' https://a.dev",
    "curl -u 'user:{}' https://a.dev",
    "curl --user user:{} https://a.dev",
]


@pytest.mark.parametrize("command", CURL)
def test_what_the_replaced_curl_rules_find_is_masked(command: str) -> None:
    secret = Dice(command).alnum(24)
    rules = [rule for rule in _ruleset.ruleset().rules if rule.id.startswith("curl-auth")]
    text = command.format(secret)
    assert any(rule.regex.search(text) for rule in rules)
    assert secret not in mask_text(text)[0]


@pytest.mark.parametrize("rule_id", ["kubernetes-secret-yaml", "private-key"])
def test_what_a_replaced_rule_finds_is_masked(rule_id: str) -> None:
    (rule,) = (rule for rule in _ruleset.ruleset().rules if rule.id == rule_id)
    dice = random.Random(rule_id)
    texts = {
        "kubernetes-secret-yaml": lambda: (
            f"kind: Secret\ntype: Opaque\ndata:\n  k: {Dice(dice.randrange(10**9)).base64(20)}\n"
        ),
        "private-key": lambda: sample(
            to_python(r"-----BEGIN RSA PRIVATE KEY-----\n[A-Za-z0-9+/]{64}\n-----END KEY-----"), dice
        ),
    }
    for _ in range(20):
        text = texts[rule_id]()
        assert rule.regex.search(text)
        assert mask_text(text)[1] == 1
