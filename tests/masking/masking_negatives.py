# ruff: noqa: E501 – one sample a line reads better than wrapped ones
"""The ordinary text of developers, over many programs and languages: none of it may be masked."""

from __future__ import annotations

import base64
import random

from .masking_samples import Dice

_DICE = Dice("negatives")
_RANDOM = random.Random("negatives")
SHA1, SHA256, UUID = _DICE.hex(40), _DICE.hex(64), _DICE.uuid()


def _b64(size: int, head: bytes = b"") -> str:
    return base64.b64encode(head + _RANDOM.randbytes(size)).decode()


def _lines(text: str, width: int) -> str:
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


# Programs whose -p, -a, -w, -k, -P, -U, -s, -u have nothing to do with passwords, and values those options take.
_OTHERS = {
    "-p": "mkdir install tar cp ls make ssh scp nmap patch perl ps lsof kill pgrep nc gcc rsync gunzip read tee docker-compose netstat tmux date cargo pytest dd flake8 go jq redis-cli tree xargs",
    "-a": "cp ls tail git rsync tar test grep tree uname who ssh-add diff date tee du nm ldd docker npm ip sort nl pgrep",
    "-w": "grep wc ping tar git curl rsync iwconfig diff gcc tcpdump ps column fold traceroute inotifywait tsc watchman nc",
    "-k": "curl apropos sort tar ssh du man ansible-playbook pytest fuser ls df kubectl timeout unzip lsof rsync",
    "-P": "grep rsync xargs cp df lsof wget nmap cmake ps ls curl perl find scp ping make",
    "-U": "git diff grep unzip zip psql pip apt tar ls dropdb rsync xz pg_dump",
    "-s": "ls curl ln test bash tar nmap make git strace jq du dpkg grep wc seq",
    "-u": "sort date git diff id ps python touch sudo systemctl lsof cat tee uniq cp docker",
}
_VALUES = "build/out-2 src/app2.py 8080:80 22 5432 HEAD~3 node18 main lib64 x86_64 word feature/login2 a1b2 10 test_login2 ./data2 v1.2.3".split()

COMMANDS = [
    f"{program} {option} {value}"
    for option, programs in _OTHERS.items()
    for program in programs.split()
    for value in _RANDOM.sample(_VALUES, 2)
]

SHELL = [
    *("cd $(pwd)", "echo $PWD", 'PWD="$(pwd)"', "pwd", "pwd -P", "OLDPWD=$PWD; cd -", "pwd && ls", "pwd: /home/dev/app2", "PWD=/srv/app2", "the pwd is /srv/app2", "pwd=$(pwd)", "pwd=os.getcwd()"),
    *("bw unlock --check", "vault login -method=userpass username=bob", "vault login is needed first", "doppler secrets set --raw X", "etcdctl --user root get x"),
    *("docker run -p 8080:80 -v $PWD:/app nginx", "docker run -p 127.0.0.1:5432:5432 -e POSTGRES_DB=app2 postgres:16", "podman run -p 3000:3000 web2", "docker compose -p proj2 up -d", "docker ps -a --filter name=web2"),
    *("ssh -p 2222 me@host2", "scp -P 2222 a me@host2:b", "sftp -P 2222 me@h", "ssh-keygen -t ed25519 -f ~/.ssh/id2", "ssh -i ~/.ssh/id_ed25519 -p 22 root@10.0.0.5"),
    *("mysql -p", "mysql -u root -p", "mysql -u root -p shop2", "mysql -P 3306 -h db2 -u root -p", "mysqldump -u root -p shop2 > d.sql", "mysql -h mysql2 -P3307 shop2"),
    *("redis-cli -h cache -p 6379 ping", "redis-cli -p 6380 info2", "redis-cli -n 2 keys 'user:*'", "redis-cli -a $REDIS_PASSWORD ping", 'redis-cli -a "$PW" ping', "use redis-cli -a to authenticate"),
    *("psql -w -h db2 app2", "psql -W -U app2", "psql -U app2 -d shop2 -p 5433", "pg_dump -w -Fc app2 > d2", "createdb -U me -W app2", "psql -h db2 -p 5432 -U app2 -c 'select 1'"),
    *("ldapsearch -W -D cn=admin -b dc=acme2", "ldapsearch -x -H ldap://h2 -b dc=acme '(uid=me2)'", "ldapsearch -y pwfile2 -x"),
    *("smbclient -U me //srv/share2", "smbclient -N -L srv2", "smbclient -U % -L srv2", "curl -u $USER:$PASS x", "curl -u me https://a.dev/v2", "curl -k https://localhost:8443/v2", "curl -u \"$U:$P\" https://a.dev", "curl -sSL -w '%{http_code}' -o out2 https://a.dev"),
    *("openssl req -x509 -newkey rsa:4096 -keyout key2.pem -out c.pem", "openssl enc -aes-256-cbc -pass env:PW -in a2", "openssl rsa -passin file:pw2.txt -in k", "openssl x509 -in c2.pem -text", "openssl dgst -sha256 -sign k2.pem a", "openssl enc -k \"$PW\" -in a2", "openssl s_client -connect h2:443"),
    *("wpa_passphrase HomeNet2", "wpa_passphrase \"$SSID\" \"$PSK\"", "mongosh -u root -p", "mongo --port 27018 shop2", "mongod -f /etc/mongod2.conf", "sqlcmd -S db2 -U sa -P $SA_PW", "sqlcmd -S db2 -E -Q 'select 1'", "mosquitto_sub -p 1884 -t a2"),
    *("7z a out2.7z dir2", "7z x -p out2.7z", "7z a -pPASSWORD x.7z", "zip -r out2.zip dir2", "zip -e out2.zip a", "unzip -p out2.zip a.txt", "unzip -P $PW x", "unrar x a2.rar", "tar -xpf a2.tar", "tar cpzf b2.tgz dir"),
    *("sudo -S apt update < pw2.txt", "sudo -u postgres psql app2", "sudo -s", "sudo -i", "sudo -k", "sudo systemctl restart app2", "echo $PW | sudo -S id", 'sudo -S <<< "$PASSWORD"', "sudo -S < /run/secrets/pw", "echo hello2 | sudo tee /etc/x2", "echo app2 | sudo -u postgres psql", "cat pw.txt | sudo -S id", "echo 'deb https://x2 stable main' | sudo tee /etc/apt/sources.list.d/x2.list"),
    *("cat <<< hello2", "wc -w <<< 'one two3'", "grep -q foo2 <<< \"$out\"", "read -r a b <<< 'x1 y2'", "base64 -d <<< aGVsbG8gd29ybGQ=", "jq .a2 <<< '{\"a2\": 1}'", "python3 <<EOF\nprint('a2')\nEOF", "su - postgres -c 'psql -l'", "su -c 'make install2'", "echo 'select 1' | psql app2", "echo y | apt install foo2", "printf 'a1\\n' | sort"),
    *("kinit me@ACME", "kinit -k -t /etc/k2.keytab svc2", "passwd", "passwd me2", "sudo passwd root", "chpasswd < users2.txt", "htpasswd -c .htpasswd me2", "usermod -aG docker me2", "useradd -m -s /bin/bash me2"),
    *("keytool -list -keystore k2.jks", "keytool -storepass:env PW -list", "jarsigner -keystore k2 -storepass $SP a.jar x", "security find-generic-password -s svc2 -w", "security list-keychains -d user", "rabbitmqctl list_users", "rabbitmqctl add_vhost v2", "nmcli dev wifi list", "nmcli con up home2"),
    *("docker login r2.io", "docker login -u me2 r.io", "docker login --password-stdin", "helm repo add x2 https://c.dev", "oc login https://c2:6443", "az login", "az login --identity -u id2", "gcloud auth login me2@acme.dev", "gh auth login --with-token < t2.txt", "vault login -method=userpass username=me2", "npm login --registry https://r2.dev", "twine upload dist/app2-1.0.tar.gz", "aws configure set region eu-west-1", "aws configure set output json2", "aws s3 cp a2 s3://b2/c"),
    *("sqlplus / as sysdba", "sqlplus /nolog @a2.sql", "expect eof2", "expect(page2).toBe(3)", 'expect("hello2").toEqual("hello2")', "await expect(res2.status).toBe(200)", "send \"hello2\\r\"", "net user", "net use", "lftp -u me ftp.acme2.dev", "snmpwalk -v2c -c public h2", "ipmitool -I lanplus -H bmc2 power status", "xfreerdp /v:h2 /u:me2", "rdesktop -u me2 h2"),
    *("git commit -a -m 'login2: fix'", "git log -p -2", "git diff -w HEAD~2", "git checkout -p src2", "git push -u origin feature/login2", "git grep -w token2", "git stash push -p", "git clone -b v2 git@h:a/b2.git", "git show -s --format=%H", "git branch -a"),
    *("gh secret set DEPLOY2 < deploy2.txt", "gh secret list -R a/b2", "fly secrets list", "fly secrets unset STRIPE2", "set -x", "set -gx EDITOR vim9", "set -x DEBUG2 1", "ENV PATH /usr/bin2", "ENV NODE_VERSION 20.1", "ENV TOKENIZERS_PARALLELISM false", "setx PATH C:/x2", "az keyvault secret show --vault-name v --name n2", "docker secret create db ./db2.txt", "dotnet user-secrets list", "pulumi config set region eu-west-1", "aws ssm put-parameter --name x2 --type String --value blue2"),
    *("- name: PORT\n  value: 8080", "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: db2", '{"name": "PORT", "value": "8080"}', '{"name": "DB_PASSWORD", "valueFrom": "arn:aws:ssm:x2"}', '{"pass": "93%", "fail": "7%"}', '{"pass": 12, "fail": 3}', '{"pass": "2 of 3"}'),
    *("kubectl get secret db2 -o yaml", "kubectl get secrets -A", "kubectl -n prod2 get pods -w", "kubectl create secret generic db2 --from-file=./pw2.txt", "kubectl create secret generic x --from-literal=foo=$BAR", "kubectl port-forward svc/a2 8080:80", "kubectl apply -k overlays/prod2", "helm upgrade -i app2 ./chart -f values2.yaml", "kubectl delete secret tls2"),
    *("gpg --batch --passphrase-file p2 -d x", "gpg -k me2@acme.dev", "gpg -s -u me2 x", "gpg --recv-keys 0x1234ABCD5678EF90", "ssh-add -l", "ansible-playbook -k site2.yml", "ansible all -m ping -u me2", "rsync -avP a2/ h:b2/", "find . -name 'pass*2'", "make -k -j4 all2", "pytest -k 'login2 and not slow' -p no:cacheprovider", "pytest -p no:randomly tests/test_2.py"),
]  # fmt: skip

PROSE = [
    *("the password field is empty", "pwd prints the directory", "The password must have 12 characters.", "The password is too short: 8 characters.", "Password: required, at least 8 characters, 1 digit", "password reset takes 24h", "password hashing uses bcrypt with cost 12", "password: see 1Password item app2", "a password of 16 characters", "The password is stored as argon2id", "password is hashed with sha256", "passwords are 8-64 characters"),
    *("the password for staging is in Vault", "set the password to something strong", "the password for root is unset", "password of the user is checked in auth2.py", "the default password (see docs) still works", "changed the password hashing from bcrypt to argon2", "changed the password field from text to varchar2", "set the password to expire in 90d", "password for root: see README2.md", "set the password to None", "the password (12 characters) was accepted", "the password on page2 is wrong", "password to be set in step2"),
    *("the token expires in 3600s", "token is valid for 15min", "the token bucket has 5 tokens", "each token counts 4 bytes", "token: the second field of line2", "the api key is read from env2", "the key is user:123:profile", "the key for the cache is build2-linux", "primary key: id2", "the secret to speed2 is caching", "the secret name is db-creds-v2", "secret rotation runs every 30d"),
    *("login page / signup page", "login flow: step2", "login with GitHub", "log in with OAuth2", "login as root", "login / logout", "login: see auth2.py", "the login form/dialog2", "credentials file: ~/.aws/credentials", "credentials are loaded from config2.toml", "credentials: see docs/auth2.md", "creds come from env2", "credentials provider:default", "credentials are valid until 2026-01-02", "login and password fields", "login/password form", "user/pass auth", "sign in with Apple / Google", "user: admin, role: editor2", "user admin and group wheel2", "username/password authentication with http2", "user me2 logs in", "user: me2\nhost: db2", "login test:unit2"),
    *("PASS: test_login_2", "pass: 12, fail: 3", "PASS tests/test_a2.py", "3 pass, 1 fail", "pass 2 of 3", "--- PASS: TestX2 (0.01s)", "FAIL/PASS: 3/12", "pass the id2 on", "first pass: parse2", "pass `x2` to f()", "ok 12 - pass2", "passed: 12", "passes: 3 of 4", "bypass: v2", "compass: n42", "pass1 and pass2 of the compiler", "pass-through2"),
    *("pw is short for playwright2", "npx pw test2", "the pw crate2", "const pw = await playwright.chromium2", "pw = getpass()", "pw=$1", "pw: str", "pw: string;", "pw: Optional[str] = None", "pw, err := read2()", "psk is a setting", "PSK mode: WPA2", "psk: null", "pw.close2()", "let pw = new Page2();", "pw_hash = bcrypt2(pw)"),
    *("Passwort vergessen?", "Das Passwort ist falsch", "Das Passwort muss 8 Zeichen haben", "Kennwort ändern", "Kennwort: erforderlich", "la contraseña es incorrecta", "contraseña: obligatoria", "La contraseña debe tener 8 caracteres", "mot de passe oublié", "le mot de passe est trop court", "mot de passe : obligatoire", "senha inválida", "a senha deve ter 8 caracteres", "senha: obrigatória", "wachtwoord vergeten", "wachtwoord: verplicht", "пароль неверный", "Пароль: обязательно", "пароль должен быть 8 символов", "パスワードを忘れた", "パスワードは8文字以上", "パスワード: 必須", "密码错误", "密码至少8位", "密码: 必填", "비밀번호를 잊으셨나요", "비밀번호는 8자 이상", "hasło jest nieprawidłowe", "hasło: wymagane", "lösenordet är fel", "salasana: pakollinen", "parola d'ordine", "parola: string", "heslo: povinné", "şifre: zorunlu", "la parola chiave async2", "in una parola: no", "mdp oublié", "senha: string", 'label="Contraseña"', "placeholder='Passwort'", '"password": "Passwort"', '"senha": "Senha"', '"contraseña": ""'),
    *("commit " + SHA1, f"fixed in {SHA1[:12]}", f"sha256:{SHA256}", f"session {UUID} resumed", f"id={UUID}", f"etag: \"{SHA1}\"", f"key: {SHA1}", f"checksum {SHA256}  a2.tar.gz", f"blob {SHA1} 1024", f"trace_id={_DICE.hex(32)} span_id={_DICE.hex(16)}", f"index {SHA1[:7]}..{SHA1[9:16]} 100644", f"build-{SHA1[:8]}-2"),
]  # fmt: skip

TALK = [
    *("the new password field2 is empty", "the new password OAuth2Token flow", "a new password policy v2", "the new password page2 is slow", "new password sha256crypt hashes", "old password hashes use md5", "the default password Argon2id settings", "our password reset step2", "my password manager exports csv2", "current password check (2 tries)", "the temporary password expires in 24h", "initial password setup: see docs2"),
    *("pw e2eTests fail", "run pw test2", "pw codegen2 writes it", "the pw column is varchar255", "pw v1.44.2", "pw hashing takes 120ms", "npx pw show-report2", "pass: parse2", "pass: 2nd of 3", "first pass: k8sNodes", "pass: e2eTests", "pass: v2 only"),
    *("credentials provider aws2", "credentials loader v2 is gone", "creds cache for s3", "credentials helper osxkeychain", "credentials for staging are in vault2", "creds: see 1Password", "credentials file ~/.aws/credentials2", "credentials json v2 format", "cred helper gcr2", "credentials from stdin expire2", "credentials for prod live in Vault", "creds rotate every 30d"),
    *("the password is wrong", "the password is empty", "the password is misconfigured", "the password is unauthenticated", "the password is case-insensitive", "my password is remembered", "the password is salted-and-hashed-properly", "the password was incomprehensible", "password is required", "password is stored elsewhere"),
    *(f"session_id={UUID}", f"sessionid={UUID}", "session_id=42", "sessionid=current_session_of_user", "session_id = new_session2()", "session_id=request.session_id", f"session={SHA1}", "session=requests.Session2()", "sess=tf.compat.v1.Session()", "sessionid=<redacted>", "PHPSESSID=", "JSESSIONID=$ID", "session=staging-eu-west-1-blue", "sess=sessionmaker(bind2)"),
    *("a bearer oauth2 token", "bearer token2", "the bearer x509v3 profile", "bearer authentication2 works", "bearer of bad news 2", "Bearer RFC6750 says so", "bearer scheme v2.1.0", "bearer tokens expire in 3600s", "bearer section-2 of the RFC", "bearer middleware2 rejects"),
    *("f?sig=2", "?signature=valid", "&signature=required-by-default", "?sign=negative2", "&sign=in-with-github-2", "?sig=sha256", "&signature=test_signature_of_v2", "the signature of foo2 changed", "signature=inspect.signature(f2)", "f(x2, signature=None)"),
]  # fmt: skip

CODE = [
    *("password = getpass()", "password: str = Field(...)", "def check(password: str, pw: bytes) -> bool:", "if password != confirm2:", "self.pw = pw", "user.password = hash2(password)", "assert pwd == 1", "pwd := os.Getwd2()", "let pwd = env::current_dir()?;", "String pwd = System.getProperty(\"user.dir\");", "const {pw, pwd, psk} = opts2;", "pwd: process.cwd(),", "$pwd = Get-Location", "pw.println(x2);", "PrintWriter pw = new PrintWriter(out2);", "PrintWriter pw=new PrintWriter(sw2);", "password_hash = bcrypt.hashpw(pw, salt2)", "const passwordRef = useRef(null);", "password: yup.string().min(8)", "password: { type: String, required: true }", "password VARCHAR(255) NOT NULL", "ALTER TABLE u ADD COLUMN password TEXT;", "SELECT password FROM users2 WHERE id = 2"),
    *("token = lexer.next2()", "token := parser.Peek()", "case Token::Ident(s2) => {}", "match token { Tok::Num(n2) => n2 }", "tokens.push(tok2)", "const token = await getToken2();", "headers: { Authorization: `Bearer ${token2}` }", 'req.Header.Set("Authorization", "Bearer "+token2)', "headers['Authorization'] = f'Bearer {token}'", "@Value(\"${app.secret}\") String secret;", "secret = os.environ['SECRET2']", "key = f'user:{id2}:profile'", "cache.get(key2)", "dict(key='a2', value='b2')", "sort(key=lambda x2: x2.b)", "KeyError: 'token2'", "PASSWORD_MIN_LENGTH = 12", "TOKEN_TTL = 3600", "MAX_TOKENS=4096", "enum Pw { A2, B2 }", "type Creds2 struct { User, Pass string }", "credentials: 'include',", "credentials = load2(path)", "auth = (user, pw)", "auth: { username, password }", "auth: Auth2", '"auth": "none"', '"auth": "oauth2"', 'auth = "basic"', "auth=HTTPBasicAuth(u2, p2)", '"login": "octocat2"', '"login": "me", "id": 12345', "login(user2, pw2)", "psk = config.get2('psk')"),
    *("import {Secret} from 'k8s2'", "kind: SecretStore\nspec:\n  data: x2", "kind: SealedSecret\nspec:\n  encryptedData:\n    a: b2", "kind: ConfigMap\ndata:\n  LOG_LEVEL: debug2\n  HOST: db2.internal\n", "kind: Deployment\nspec:\n  data: abc2\n", "kind: Secret\nmetadata:\n  name: db2\n  namespace: prod2\ntype: Opaque\n", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a2\ndata: {}\n", "kind: ConfigMap\ndata:\n  url: http://web2:8080\n---\nkind: Secret\nmetadata:\n  name: x2\n", "kind: ExternalSecret\nspec:\n  data:\n  - secretKey: a2\n", "secretKeyRef:\n  name: db2\n  key: password", "envFrom:\n- secretRef:\n    name: app2-env"),
    *("volumes: ['./pw2:/pw']", "ports:\n  - '8080:80'", "user: '1000:1000'", "image: redis:7.2-alpine", "image: r.io/app2@sha256:" + SHA256, "uses: actions/checkout@" + SHA1, f"rev: {SHA1}", "password: ${{ secrets.DOCKER_PASSWORD }}", "password: !vault |", "password: '{{ db_password }}'", "password: ENC(...)", "pw: ${PW}", "psk: <your-psk>", 'psk="{{ psk }}"', "DB_PW=${DB_PW}", "PW=", 'pw: ""', "PSK=$(cat psk)"),
]  # fmt: skip

_PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
_PROSE64 = base64.b64encode(b"The quick brown fox jumps over the lazy dog and then sleeps in the sun. " * 3).decode()
_CERTIFICATE = _b64(900, b"\x30\x82\x03\x86\x30\x82\x02\x6e\xa0\x03\x02\x01\x02\x02\x10")
BLOBS = [
    "data:image/png;base64," + _b64(300, _PNG),
    "data:image/jpeg;base64," + _b64(300, b"\xff\xd8\xff\xe0\x00\x10JFIF"),
    "data:font/woff2;base64," + _b64(300, b"wOF2"),
    "data:image/svg+xml;base64," + base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0L10 10'/></svg>").decode(),
    "data:application/json;base64," + base64.b64encode(b'{"version":3,"sources":["a2.ts"],"mappings":"AAAA,CAAC"}').decode(),
    _lines(_b64(400, _PNG), 76),
    _lines(_b64(400, _PNG), 64),
    "base64 logo2.png\n" + _lines(_b64(400, b"GIF89a"), 76),
    "Content-Transfer-Encoding: base64\n\n" + _lines(_b64(600), 76),
    "-----BEGIN CERTIFICATE-----\n" + _lines(_CERTIFICATE, 64) + "\n-----END CERTIFICATE-----",
    "\n".join(("-----BEGIN CERTIFICATE-----\n" + _lines(_CERTIFICATE, 64)).splitlines()[:8]),
    _lines(_CERTIFICATE, 64) + "\n-----END CERTIFICATE-----",
    _lines(_CERTIFICATE, 64),
    "-----BEGIN PUBLIC KEY-----\n" + _lines(_b64(270, b"\x30\x82\x01\x22\x30\x0d\x06\x09"), 64) + "\n-----END PUBLIC KEY-----",
    "-----BEGIN PGP SIGNATURE-----\n\n" + _lines(_b64(400), 64) + "\n=Ab3d\n-----END PGP SIGNATURE-----",
    "-----BEGIN SSH SIGNATURE-----\n" + _lines(_b64(200), 70) + "\n-----END SSH SIGNATURE-----",
    "-----BEGIN CERTIFICATE-----\\n" + _lines(_CERTIFICATE, 64).replace("\n", "\\n") + "\\n-----END CERTIFICATE-----\\n",
    "ends with -----END RSA PRIVATE KEY----- on its own line",
    "grep -c 'END OPENSSH PRIVATE KEY' id2",
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ" + _DICE.base64(340) + " me@host2",
    "echo " + _PROSE64 + " | base64 -d",
    "aGVsbG8gd29ybGQsIHRoaXMgaXMgYSB0ZXN0",
    *(f'"integrity": "sha512-{_b64(64)}"' for _ in range(10)),
    *(f"integrity sha384-{_b64(48)}" for _ in range(5)),
    *(f"sha384-{_b64(48)}\nsha384-{_b64(48)}\nsha384-{_b64(48)}" for _ in range(3)),
    *(f"github.com/acme/auth{n} v1.{n}.0 h1:{_b64(32)}" for n in range(10)),
    *(f"    --hash=sha256:{_DICE.hex(64)} \\\n    --hash=sha256:{_DICE.hex(64)}" for _ in range(5)),
    *("\n".join(_DICE.hex(width) for _ in range(4)) for width in (32, 40, 64, 64)),
    *("\n".join(_DICE.uuid() for _ in range(3)) for _ in range(3)),
    *(f"pick {_DICE.hex(7)} fix login{n}\npick {_DICE.hex(7)} add pw{n}" for n in range(5)),
    "git binary patch\nliteral 200\nzcmeAS@N?(olHy`uVBq!ia0vp^4nVBH!3HFa0zqf\nzA+9Q&W?2yZ0>x5mD0vmtTk{G",
    "build\n    node2\nfoo_bar_baz_2\nsrc/a2/b2/c3.py\nsrc/d4/e5/f6.py",
    "AbstractFactory2\nSingletonProxy3\nVisitorPattern4",
    "e3b0c44298fc1c149afbf4c8996fb924\n27ae41e4649b934ca495991b7852b855",
]  # fmt: skip

NEGATIVE: dict[str, list[str]] = {
    "options of other programs": COMMANDS,
    "shell": SHELL,
    "prose": PROSE,
    "talk about passwords, tokens, sessions and signatures": TALK,
    "code": CODE,
    "encoded data": BLOBS,
}
