# ruff: noqa: E501 – one sample a line reads better than wrapped ones
"""Real-looking secrets of the usual services, each made anew from a seed, and texts that hold none.

The fixed parts are written in pieces so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


class Dice:
    """Random text of a given alphabet, the same for the same seed."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(seed)

    def of(self, alphabet: str, size: int) -> str:
        return "".join(self._random.choice(alphabet) for _ in range(size))

    def alnum(self, size: int) -> str:
        return self.of(ALNUM, size)

    def hex(self, size: int) -> str:
        return self.of(HEX, size)

    def digits(self, size: int) -> str:
        return self.of("123456789", 1) + self.of(string.digits, size - 1)

    def url_safe(self, size: int) -> str:
        return self.of(ALNUM, 1) + self.of(ALNUM + "-_", size - 2) + self.of(ALNUM, 1)

    def base64(self, size: int) -> str:
        return self.of(ALNUM, 1) + self.of(ALNUM + "+/", size - 2) + self.of(ALNUM, 1)

    def caps(self, size: int) -> str:
        return self.of(string.ascii_uppercase + string.digits, size)

    def uuid(self) -> str:
        return "-".join(self.hex(size) for size in (8, 4, 4, 4, 12))

    def password(self) -> str:
        """As a person or a generator sets one: letters, a digit and sometimes a sign."""
        word = self.of(string.ascii_lowercase, self._random.randint(4, 8))
        return (
            word.capitalize()
            + self.digits(self._random.randint(1, 4))
            + self._random.choice(["", "!", "#x", "-Q", "_z"])
        )


Made = tuple[str, str]  # the text and the secret in it
Maker = Callable[[Dice], Made]


def _jwt(d: Dice) -> str:
    def part(value: dict[str, object]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return ".".join(
        (part({"alg": "HS256", "typ": "JWT"}), part({"sub": d.digits(10), "name": d.alnum(8)}), d.url_safe(43))
    )


def _pem(d: Dice, label: str, newline: str = "\n", lines: int = 12, end: bool = True) -> str:
    body = [d.base64(64) for _ in range(lines)] + [d.base64(22) + "=="]
    return newline.join([f"-----BEGIN {label}-----", *body, *([f"-----END {label}-----"] if end else [])])


def _embed(template: str, make: Callable[[Dice], str]) -> Maker:
    def maker(d: Dice) -> Made:
        secret = make(d)
        return template.replace("@@", secret), secret

    return maker


SERVICES: dict[str, Maker] = {
    "AWS access key id": _embed("aws configure set aws_access_key_id @@", lambda d: "AK" + "IA" + d.of(string.ascii_uppercase + "234567", 16)),
    "AWS temporary key id": _embed("the id @@, now revoked", lambda d: "AS" + "IA" + d.of(string.ascii_uppercase + "234567", 16)),
    "AWS secret access key in a credentials file": _embed("[default]\naws_secret_access_key = @@\nregion = eu-west-1", lambda d: d.base64(40)),
    "AWS secret access key in the environment": _embed("AWS_SECRET_ACCESS_KEY=@@ aws s3 ls", lambda d: d.base64(40)),
    "AWS secret access key beside its id": lambda d: (lambda s: (f"{'AK' + 'IA' + d.of(string.ascii_uppercase + '234567', 16)},{s}\n", s))(d.base64(40)),
    "AWS session token": _embed('export AWS_SESSION_TOKEN="@@"', lambda d: "IQoJb3JpZ2lu" + d.base64(300)),
    "GitHub personal access token": _embed("git clone https://@@@github.com/acme/site.git", lambda d: "gh" + "p_" + d.alnum(36)),
    "GitHub OAuth token": _embed("curl -H 'Authorization: token @@' https://api.github.com/user", lambda d: "gh" + "o_" + d.alnum(36)),
    "GitHub app token": _embed("GITHUB_TOKEN: @@", lambda d: "gh" + "s_" + d.alnum(36)),
    "GitHub user-to-server token": _embed("(@@)", lambda d: "gh" + "u_" + d.alnum(36)),
    "GitHub refresh token": _embed("refresh=@@,", lambda d: "gh" + "r_" + d.alnum(36)),
    "GitHub fine-grained token": _embed("gh auth login --with-token <<< @@", lambda d: "github" + "_pat_" + d.alnum(22) + "_" + d.alnum(59)),
    "GitLab personal access token": _embed("PRIVATE-TOKEN: @@", lambda d: "gl" + "pat-" + d.url_safe(20)),
    "GitLab runner token": _embed("gitlab-runner register --token @@", lambda d: "gl" + "rt-" + d.url_safe(20)),
    "GitLab deploy token": _embed("docker login -u deploy -p @@ registry.gitlab.com", lambda d: "gl" + "dt-" + d.url_safe(20)),
    "Slack bot token": _embed('SlackClient("@@")', lambda d: "xo" + "xb-" + d.digits(12) + "-" + d.digits(12) + "-" + d.alnum(24)),
    "Slack user token": _embed("slack: @@", lambda d: "xo" + "xp-" + d.digits(12) + "-" + d.digits(12) + "-" + d.digits(12) + "-" + d.hex(32)),
    "Slack app token": _embed("app token @@.", lambda d: "xa" + "pp-1-A" + d.caps(10) + "-" + d.digits(13) + "-" + d.hex(64)),
    "Slack webhook": _embed("curl -d '{}' @@", lambda d: "https://hooks." + "slack.com/services/T" + d.caps(10) + "/B" + d.caps(10) + "/" + d.alnum(24)),
    "Stripe secret key": _embed("stripe.api_key = '@@'", lambda d: "sk_" + "live_" + d.alnum(24)),
    "Stripe long secret key": _embed("STRIPE=@@", lambda d: "sk_" + "live_51" + d.alnum(99)),
    "Stripe restricted key": _embed("use @@, not the root key", lambda d: "rk_" + "live_" + d.alnum(24)),
    "Stripe webhook secret": _embed("stripe listen prints @@", lambda d: "wh" + "sec_" + d.alnum(32)),
    "OpenAI project key": _embed("OPENAI_API_KEY=@@", lambda d: "sk-" + "proj-" + d.url_safe(74) + "T3Blbk" + "FJ" + d.url_safe(74)),
    "OpenAI old key": _embed('openai.api_key = "@@"', lambda d: "sk-" + d.alnum(20) + "T3Blbk" + "FJ" + d.alnum(20)),
    "OpenAI key of another length": _embed("it says @@ is wrong", lambda d: "sk-" + "proj-" + d.url_safe(48)),
    "Anthropic API key": _embed("x-api-key: @@", lambda d: "sk-" + "ant-api03-" + d.url_safe(93) + "AA"),
    "Anthropic OAuth token": _embed("CLAUDE_CODE_OAUTH_TOKEN=@@", lambda d: "sk-" + "ant-oat01-" + d.url_safe(86)),
    "OpenRouter key": _embed("key @@ works", lambda d: "sk-" + "or-v1-" + d.hex(64)),
    "Google API key": _embed("https://maps.googleapis.com/js?key=@@&v=3", lambda d: "AI" + "za" + d.url_safe(35)),
    "Google OAuth client secret": _embed('"client_secret":"@@"', lambda d: "GOC" + "SPX-" + d.url_safe(28)),
    "Google OAuth access token": _embed("token ya29 is @@", lambda d: "ya" + "29." + d.url_safe(120)),
    "GCP service account": lambda d: (lambda key: (json.dumps({"type": "service_account", "private_key_id": d.hex(40), "private_key": key}), json.dumps(key)[60:-60]))(_pem(d, "PRIVATE" + " KEY")),
    "Azure AD client secret": _embed("az login --service-principal -p @@", lambda d: d.alnum(3) + "8" + "Q~" + d.of(ALNUM + "_.-", 33) + "a"),
    "Azure client secret in the environment": _embed("AZURE_CLIENT_SECRET=@@", lambda d: d.alnum(3) + "8" + "Q~" + d.of(ALNUM + "_.-", 33) + "a"),
    "Azure storage account key": _embed("DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=@@;EndpointSuffix=core.windows.net", lambda d: d.base64(86) + "=="),
    "Azure shared access signature": _embed("https://acme.blob.core.windows.net/c/f?sv=2022-11-02&sr=b&sig=@@&sp=r", lambda d: d.alnum(20) + "%2F" + d.alnum(18) + "%3D"),
    "Azure service bus": _embed("Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=@@", lambda d: d.base64(43) + "="),
    "npm token": _embed("//registry.npmjs.org/:_authToken=@@", lambda d: "np" + "m_" + d.alnum(36)),
    "PyPI token": _embed("twine upload -u __token__ -p @@ dist/*", lambda d: "py" + "pi-AgEI" + "cHlwaS5vcmc" + d.url_safe(150)),
    "RubyGems key": _embed(":rubygems_api_key: @@", lambda d: "ruby" + "gems_" + d.hex(48)),
    "Twilio API key": _embed("Twilio(@@)", lambda d: "S" + "K" + d.hex(32)),
    "Twilio auth token": _embed("TWILIO_AUTH_TOKEN=@@", lambda d: d.hex(32)),
    "SendGrid key": _embed("SendGridAPIClient('@@')", lambda d: "S" + "G." + d.url_safe(22) + "." + d.url_safe(43)),
    "Mailgun key": _embed("curl -s --user 'api:@@' https://api.mailgun.net/v3", lambda d: "ke" + "y-" + d.hex(32)),
    "Mailchimp key": _embed("MAILCHIMP_API_KEY=@@", lambda d: d.hex(32) + "-us" + d.digits(2)),
    "JSON Web Token": _embed("session (@@) expired", _jwt),
    "JSON Web Token in a cookie": _embed("Cookie: sid=@@; theme=dark", _jwt),
    "Postgres address": _embed("psql postgres://app:@@@db.internal:5432/app", lambda d: d.password()),
    "MySQL address": _embed("mysql://root:@@@127.0.0.1/shop", lambda d: d.password()),
    "MongoDB address": _embed("MONGO_URL=mongodb+srv://admin:@@@cluster0.ab1cd.mongodb.net/?retryWrites=true", lambda d: d.alnum(14)),
    "Redis address": _embed("redis://:@@@cache:6379/0", lambda d: d.password()),
    "AMQP address": _embed("broker_url = 'amqp://worker:@@@mq/vhost'", lambda d: d.password()),
    "basic-auth address": _embed("pip install --index-url https://deploy:@@@pypi.acme.dev/simple acme", lambda d: d.password()),
    "token in an address": _embed("git remote add x https://@@@git.acme.dev/a.git", lambda d: d.hex(40)),
    "Heroku key": _embed("HEROKU_API_KEY=@@", lambda d: d.uuid()),
    "Heroku new key": _embed("heroku authorizations: @@", lambda d: "HR" + "KU-AA" + d.url_safe(58)),
    "DigitalOcean token": _embed("doctl auth init -t @@", lambda d: "do" + "p_v1_" + d.hex(64)),
    "Hugging Face token": _embed("huggingface-cli login --token @@", lambda d: "h" + "f_" + d.alnum(34)),
    "Hugging Face token of letters": _embed("login(@@)", lambda d: "h" + "f_" + d.of(string.ascii_letters, 34)),
    "Telegram bot token": _embed("https://api.telegram.org/bot@@/getMe", lambda d: d.digits(10) + ":A" + "A" + d.url_safe(33)),
    "Telegram bot token by name": _embed("TELEGRAM_TOKEN=@@", lambda d: d.digits(9) + ":A" + "A" + d.url_safe(33)),
    "Discord bot token": _embed("client.run('@@')", lambda d: "M" + d.alnum(25) + "." + d.url_safe(6) + "." + d.url_safe(38)),
    "Discord webhook": _embed("https://discord.com/api/webhooks/112233445566778899/@@", lambda d: d.url_safe(68)),
    "Cloudflare API token": _embed("CLOUDFLARE_API_TOKEN=@@ wrangler deploy", lambda d: d.url_safe(40)),
    "Cloudflare global key": _embed("cloudflare_key: @@", lambda d: d.hex(37)),
    "Datadog API key": _embed("DD_API_KEY=@@ datadog-agent", lambda d: d.hex(32)),
    "Datadog app key": _embed("datadog_app_key: '@@'", lambda d: d.hex(40)),
    "New Relic user key": _embed("newrelic profile add --apiKey @@", lambda d: "NR" + "AK-" + d.caps(27)),
    "New Relic licence key": _embed("license_key: @@", lambda d: d.hex(36) + "NR" + "AL"),
    "Sentry user token": _embed("sentry-cli --auth-token @@", lambda d: "sntr" + "yu_" + d.hex(64)),
    "Sentry token": _embed("SENTRY_AUTH_TOKEN=@@", lambda d: d.hex(64)),
    "Linear key": _embed("Authorization: @@", lambda d: "lin" + "_api_" + d.alnum(40)),
    "Notion token": _embed("Notion(auth='@@')", lambda d: "nt" + "n_" + d.digits(11) + d.alnum(35)),
    "Notion old token": _embed("NOTION=@@", lambda d: "sec" + "ret_" + d.alnum(43)),
    "Databricks token": _embed("databricks configure --token @@", lambda d: "da" + "pi" + d.hex(32)),
    "Shopify access token": _embed("X-Shopify-Access-Token: @@", lambda d: "shp" + "at_" + d.hex(32)),
    "Shopify shared secret": _embed("{@@}", lambda d: "shp" + "ss_" + d.hex(32)),
    "Square access token": _embed("square: @@", lambda d: "sq0" + "atp-" + d.url_safe(22)),
    "Square OAuth secret": _embed("square: @@", lambda d: "sq0" + "csp-" + d.url_safe(43)),
    "Doppler token": _embed("doppler run --token=@@", lambda d: "dp" + ".pt." + d.alnum(43)),
    "Doppler service token": _embed("DOPPLER=@@", lambda d: "dp" + ".st.prd." + d.alnum(43)),
    "Vault service token": _embed("vault login @@", lambda d: "hv" + "s." + d.url_safe(95)),
    "Vault root token": _embed("Initial Root Token: @@", lambda d: "hv" + "s." + d.alnum(24)),
    "Terraform Cloud token": _embed('credentials "app.terraform.io" { token = "@@" }', lambda d: d.alnum(14) + ".atlas" + "v1." + d.url_safe(67)),
    "Docker Hub token": _embed("echo @@ | docker login -u acme --password-stdin", lambda d: "dckr" + "_pat_" + d.url_safe(27)),
    "Fly.io token": _embed("fly auth token: @@", lambda d: "fo" + "1_" + d.url_safe(43)),
    "Fly.io macaroon": _embed('FLY_API_TOKEN="FlyV1 @@"', lambda d: "fm" + "2_" + d.base64(400)),
    "Supabase service key": _embed("SUPABASE_SERVICE_ROLE_KEY=@@", _jwt),
    "Supabase access token": _embed("supabase login with @@", lambda d: "sb" + "p_" + d.hex(40)),
    "Supabase secret key": _embed("createClient(url, '@@')", lambda d: "sb" + "_secret_" + d.url_safe(31)),
    "Netlify token": _embed("NETLIFY_AUTH_TOKEN=@@", lambda d: d.url_safe(43)),
    "Netlify new token": _embed("netlify says @@", lambda d: "nf" + "p_" + d.alnum(36)),
    "Vercel token": _embed("VERCEL_TOKEN=@@ vercel --prod", lambda d: d.alnum(24)),
    "Groq key": _embed("Groq(@@)", lambda d: "gs" + "k_" + d.alnum(52)),
    "Replicate token": _embed("replicate @@", lambda d: "r" + "8_" + d.alnum(37)),
    "Pulumi token": _embed("pulumi: @@", lambda d: "pu" + "l-" + d.hex(40)),
    "Grafana token": _embed("grafana @@,", lambda d: "gl" + "sa_" + d.alnum(32) + "_" + d.hex(8)),
    "Postman key": _embed("X-Api-Key:@@", lambda d: "PM" + "AK-" + d.hex(24) + "-" + d.hex(34)),
    "Atlassian token": _embed("jira @@", lambda d: "ATA" + "TT3" + d.url_safe(186)),
    "PlanetScale password": _embed("planetscale: @@", lambda d: "psca" + "le_pw_" + d.url_safe(43)),
    "Dynatrace token": _embed("Api-Token @@", lambda d: "dt0" + "c01." + d.caps(24) + "." + d.caps(64)),
    "1Password secret key": _embed("secret key @@", lambda d: "-".join(["A" + "3", d.caps(6), d.caps(6), d.caps(5), d.caps(5), d.caps(5), d.caps(5)])),
    "age secret key": _embed("# created: today\n@@\n", lambda d: "AGE-" + "SECRET-KEY-1" + d.of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    "RSA private key": _embed("cat id_rsa\n@@\n$", lambda d: _pem(d, "RSA PRIVATE" + " KEY")),
    "EC private key": _embed("@@", lambda d: _pem(d, "EC PRIVATE" + " KEY", lines=3)),
    "OpenSSH private key": _embed("here: @@ thanks", lambda d: _pem(d, "OPENSSH PRIVATE" + " KEY")),
    "private key in one line": _embed('KEY="@@"', lambda d: _pem(d, "PRIVATE" + " KEY", newline="\\n")),
    "private key cut off": _embed("@@", lambda d: _pem(d, "RSA PRIVATE" + " KEY", end=False)),
    "PuTTY private key": _embed("Private-Lines: 1\n@@\nPrivate-MAC: 0a", lambda d: d.base64(64)),
    "bearer header": _embed("curl -H 'Authorization: Bearer @@' https://api.acme.dev", lambda d: d.alnum(32)),
    "bearer header in code": _embed('headers={"Authorization": "Bearer @@"}', lambda d: d.url_safe(24)),
    "basic header": _embed("Authorization: Basic @@\r\nHost: acme.dev", lambda d: base64.b64encode(f"admin:{d.password()}".encode()).decode()),
    "API key header": _embed('curl -H "X-API-Key: @@" https://api.acme.dev', lambda d: d.alnum(32)),
    "curl user": _embed("curl -u admin:@@ https://acme.dev/api", lambda d: d.password()),
    "curl user, long": _embed('curl https://acme.dev/api --user "admin:@@" -o out', lambda d: d.password()),
    "password option": _embed("createuser --password @@ --login app", lambda d: d.password()),
    "password option with a sign": _embed("mysqldump --password=@@ shop", lambda d: d.password()),
    "MySQL short option": _embed("mysql -u root -p@@ shop < dump.sql", lambda d: d.password()),
    "sshpass": _embed("sshpass -p '@@' ssh root@host", lambda d: d.password()),
    "docker login": _embed("docker login -u me -p @@ registry.acme.dev", lambda d: d.password()),
    "password in the environment": _embed("DB_PASSWORD=@@\nDB_HOST=db", lambda d: d.password()),
    "short pass in the environment": _embed("export DB_PASS=@@", lambda d: d.password()),
    "PGPASSWORD": _embed("PGPASSWORD=@@ psql -h db", lambda d: d.password()),
    "secret in the environment": _embed("export SESSION_SECRET='@@'", lambda d: d.alnum(24)),
    "token in the environment": _embed("CI_TOKEN=@@", lambda d: d.alnum(20)),
    "API key in the environment": _embed("ACME_API_KEY=@@", lambda d: d.alnum(20)),
    "Django secret key": _embed("SECRET_KEY = 'django-insecure-@@'", lambda d: d.of(ALNUM + "!@#%^&*(-_=+)", 50)),
    "password in YAML": _embed("db:\n  user: app\n  password: @@\n", lambda d: d.password()),
    "password in JSON": _embed('{"user": "app", "password": "@@"}', lambda d: d.password()),
    "password in escaped JSON": _embed(r'curl -d "{\"user\":\"app\",\"password\":\"@@\"}" https://acme.dev', lambda d: d.password()),
    "password in code": _embed('connect(host="db", password="@@")', lambda d: d.password()),
    "password in a data source name": _embed('psql "host=db user=app password=@@ dbname=app"', lambda d: d.password()),
    "password in ADO.NET": _embed("Server=db;User Id=app;Password=@@;Encrypt=true", lambda d: d.password()),
    "password in a netrc file": _embed("machine git.acme.dev\n  login me\n  password @@\n", lambda d: d.password()),
    "password in SQL": _embed("CREATE USER app WITH PASSWORD '@@';", lambda d: d.password()),
    "password in MySQL's SQL": _embed("CREATE USER 'app'@'%' IDENTIFIED BY '@@';", lambda d: d.password()),
    "password in XML": _embed("<server><id>x</id><password>@@</password></server>", lambda d: d.password()),
    "password in a NuGet config": _embed('<add key="ClearTextPassword" value="@@" />', lambda d: d.password()),
    "password in a sentence": _embed("the admin password is @@, please change it", lambda d: d.of(string.ascii_lowercase, 6) + d.digits(3)),
    "Kubernetes secret": _embed("apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  conn: @@\n", lambda d: base64.b64encode(d.password().encode() * 2).decode()),
    "token in a query": _embed("GET /v1/items?access_token=@@&page=2", lambda d: d.alnum(32)),
    "presigned S3 address": _embed("https://b.s3.amazonaws.com/k?X-Amz-Expires=300&X-Amz-Signature=@@", lambda d: d.hex(64)),
}  # fmt: skip

_PLAIN_DICE = Dice("plain")
SHA1 = _PLAIN_DICE.hex(40)
SHA256 = _PLAIN_DICE.hex(64)
UUID = _PLAIN_DICE.uuid()
INTEGRITY = base64.b64encode(bytes(random.Random(7).randrange(256) for _ in range(64))).decode()
GO_SUM = base64.b64encode(bytes(random.Random(8).randrange(256) for _ in range(32))).decode()

PLAIN: dict[str, str] = {
    "a commit": SHA1,
    "a short commit": f"fixed in {SHA1[:9]} on main",
    "a commit in prose": f"the auth fix, {SHA1}, and the token fix: {SHA1}",
    "a commit in a log": f"commit {SHA1}\nAuthor: A <a@b.c>\n\n    key handling: {SHA1}",
    "a UUID": UUID,
    "a UUID by name": f"session_id={UUID} key: {UUID}",
    "a digest": SHA256,
    "a digest by name": f"sha256:{SHA256}  dist/perdure-0.1.0.tar.gz",
    "a pip hash": f"secretscreen==0.6.0 --hash=sha256:{SHA256}",
    "a container image": f"FROM python:3.11-slim@sha256:{SHA256}",
    "an integrity string": f'"token-types@npm:^5": {{"integrity": "sha512-{INTEGRITY}"}}',
    "a pnpm lock": f"resolution: {{integrity: sha512-{INTEGRITY}}}",
    "a yarn lock": f'jsonwebtoken@^9.0.0:\n  version "9.0.2"\n  resolved "https://registry.yarnpkg.com/jsonwebtoken/-/jsonwebtoken-9.0.2.tgz#{SHA1}"\n  integrity sha512-{INTEGRITY}',
    "a go.sum": f"golang.org/x/oauth2 v0.21.0 h1:{GO_SUM}\ngolang.org/x/oauth2 v0.21.0/go.mod h1:{GO_SUM}",
    "versions": "python 3.11.7, hypothesis 6.150.0, 1.2.3-beta.4+build.567, v0.3.0-rc.1",
    "a path": "/usr/local/lib/python3.11/site-packages/secretscreen/gitleaks.toml",
    "a relative path": "tests/masking/test_masking_services.py::test_a_secret_of_the_service_is_masked[GitHub]",
    "a Windows path": r"C:\Users\dev\AppData\Local\Programs\Python\Python311\python.exe",
    "long identifiers": "first_stage_says_clean_implies_second_finds_nothing AbstractSingletonProxyFactoryBean MAXIMUM_KEY_LENGTH_2",
    "a count of tokens": "token_count: 123, max_tokens=4096, tokens: 812345, total_tokens = 99",
    "a tokenizer": "tokens = tokenize(text)",
    "a prompt for a password": "password = getpass()",
    "a prompt with text": 'password = getpass.getpass("Password: ")',
    "the environment in Python": 'api_key = os.environ["API_KEY"]',
    "the environment by get": 'token = os.environ.get("GITHUB_TOKEN")\nsecret = os.getenv("SECRET", "")',
    "the environment in JavaScript": "const token = process.env.GITHUB_TOKEN;",
    "a reference": "GITHUB_TOKEN=$TOKEN",
    "a reference in braces": "export DB_PASSWORD=${DB_PASSWORD:?missing} API_KEY=${{ secrets.API_KEY }}",
    "a command in its place": "TOKEN=$(gh auth token) PASSWORD=`pass show db`",
    "a stand-in": "API_KEY=<your-api-key> PASSWORD=changeme TOKEN=xxxxxxxx SECRET=*** DB_PASS=",
    "a stand-in in JSON": '{"password": "<password>", "token": null, "secret": "", "api_key": "your-api-key-here"}',
    "a stand-in in an address": "postgres://user:password@localhost/db and https://user:${PASS}@host and redis://:***@cache",
    "prose about tokens": "The token bucket is empty, so the worker waits; each token is worth one request.",
    "prose about passwords": "password must be at least 12 characters",
    "prose about passwords with a colon": "Password: must be at least 12 characters and contain 2 digits",
    "prose about keys": "The key is the event id; the secret is to keep the api small. Access, auth and keys: see below.",
    "prose about options": "Use --password to be asked for it, or --token when there is one; --api-key is required.",
    "prose about headers": "Send an Authorization: Bearer token header; bearer authentication is the default.",
    "a shell line": 'export PATH="$HOME/.local/bin:/usr/local/bin:$PATH" && mkdir -p build && python -u run.py',
    "a comparison": "if token == expected_token:\n    return password != other_password",
    "assignments of names": "self.token = token\npassword = form.password\nlogin(user=user, password=password, token=auth.token)",
    "types": "def login(user: str, password: str, token: Token | None = None, api_key: SecretStr = SecretStr()) -> None:",
    "types in TypeScript": "interface Login { password: string; token: string | null; apiKey?: string }",
    "types in Go": 'type Config struct {\n\tPassword string `json:"password"`\n\tToken    string `json:"token,omitempty"`\n}',
    "a form": '<input type="password" name="password" id="password" autocomplete="current-password">',
    "messages": '{"error": "invalid token", "password": "Enter your password"} raise ValueError("secret: not set")',
    "a test's result": "--- PASS: TestLogin2 (0.00s)\nPASS: test_login_v2\npass: 12, fail: 0",
    "a directory": "PWD=/home/dev/work OLDPWD=/tmp pwd: /srv/app2",
    "a key of a mapping": 'for key, value in d.items(): print(f"{key}: {value}"); sorted(d, key=lambda x: x[1])',
    "a key's file": "ssh -i ~/.ssh/id_ed25519 host; SSH_KEY=/home/dev/.ssh/id_rsa; private_key: ./certs/server2.pem",
    "a public key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "B" + _PLAIN_DICE.base64(42) + " dev@host",
    "a certificate's header": "looks for -----BEGIN CERTIFICATE----- and -----BEGIN RSA PRIVATE KEY----- lines",
    "a time": "2026-01-02T10:11:12.345678+00:00 key=2026-01-02T10:11:12Z",
    "an address": "http://localhost:8080/@scope/pkg?email=a@b.c and ssh://git@github.com:22/acme/site.git and git@github.com:acme/site",
    "an address with a query": "http://localhost:8080?email=a@b.c",
    "a docker user": "docker run -u 1000:1000 -p 8080:80 acme && docker compose -p acme2 up",
    "a regex": r"_TOKEN = re.compile(r'[A-Za-z0-9_-]{20,}') and password_pattern = /^(?=.*\d).{8,}$/",
    "a CSS class": "sk-folding-cube sk-circle-fade-dot-animation-container",
    "base64 of an image": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "identifiers of calls": "toolu_01A09q90qw90lq917835lq9 msg_01XFDUDYJgAACzvnptvVoYEL req_011CSHoEeqs5C35K2UUqR7Fy",
}  # fmt: skip
