"""Says which variables change what runs when they are set (SPEC 5.4).

There are two cases. A variable given to a program (`X=1 ls`, `export X`) can change anything that the program takes
from its environment, so only names that are known to be harmless pass. A variable of the shell itself (`x=1`,
`for x in`, `read x`) matters only if the shell, or a program to which it is already exported, uses it. Those names are
listed.

    given_to_a_program("LC_ALL") == ""          set_in_the_shell("PATH") == "PATH decides which programs run"
"""

from __future__ import annotations

from perdure.clients import REGISTERED

HARMLESS = frozenset(
    """DEBUG VERBOSE RUST_BACKTRACE RUST_LOG NODE_ENV AWS_PROFILE AWS_REGION AWS_DEFAULT_REGION
    LANG LANGUAGE LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME NO_COLOR FORCE_COLOR
    CLICOLOR CLICOLOR_FORCE TERM COLUMNS LINES TZ CI GREP_COLOR GREP_COLORS LS_COLORS BLOCK_SIZE QUOTING_STYLE
    TIME_STYLE DEBIAN_FRONTEND PGPASSWORD PGUSER PGDATABASE PGHOST PGPORT PGCONNECT_TIMEOUT MYSQL_PWD REDISCLI_AUTH
    AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN GH_TOKEN GITHUB_TOKEN GH_REPO VAULT_TOKEN""".split()
)
"""Harmless with any value: language, colour, width, time zone and the like; and who signs in to which database."""

EVALUATED = frozenset(
    """RANDOM SRANDOM SECONDS OPTIND LINENO HISTCMD HISTSIZE HISTFILESIZE SAVEHIST COLUMNS LINES BASHPID KEYTIMEOUT
    LISTMAX MAILCHECK TMOUT UID EUID GID EGID ERRNO TTYIDLE SHLVL PPID EPOCHSECONDS EPOCHREALTIME LOGCHECK
    TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT REPORTTIME REPORTMEMORY DIRSTACKSIZE BAUD PERIOD OPTERR ARGC""".split()
)
"""The shell evaluates what is assigned to these as arithmetic."""

SHELL_VARIABLES = {
    **dict.fromkeys(("PATH", "path", "fpath", "FPATH", "commands"), "decides which programs run"),
    **dict.fromkeys(("IFS", "POSIXLY_CORRECT", "GLOBIGNORE", "EXECIGNORE"), "decides how words are split and read"),
    **dict.fromkeys(("ENV", "BASH_ENV", "ZDOTDIR"), "names a file that shells run"),
    **dict.fromkeys(("SHELLOPTS", "BASHOPTS", "FUNCNEST", "options"), "changes how the shell reads what follows"),
    **dict.fromkeys(("PS0", "PS1", "PS2", "PS3", "PS4", "PROMPT", "prompt", "RPROMPT", "RPS1"), "is run as a prompt"),
    **dict.fromkeys(("PROMPT_COMMAND", "precmd_functions", "chpwd_functions", "preexec_functions"), "is run"),
    **dict.fromkeys(("CDPATH", "cdpath"), "decides where cd goes"),
    **dict.fromkeys(
        ("aliases", "galiases", "saliases", "dis_aliases", "functions", "dis_functions"), "defines commands"
    ),
    **dict.fromkeys(("nameddirs", "userdirs", "dirstack", "DIRSTACK", "module_path", "MODULE_PATH"), "is zsh's own"),
    **dict.fromkeys(
        ("NULLCMD", "READNULLCMD", "TMPPREFIX", "HISTFILE", "histchars", "HISTCONTROL"), "changes the shell"
    ),
    **dict.fromkeys(
        ("PAGER", "MANPAGER", "EDITOR", "VISUAL", "BROWSER", "FCEDIT", "SHELL", "OPENER"), "names a program"
    ),
    **dict.fromkeys(
        ("HOME", "USER", "LOGNAME", "PWD", "OLDPWD", "TMPDIR", "TMP", "TEMP"), "decides which files are used"
    ),
    **dict.fromkeys(
        ("LS_OPTIONS", "TAR_OPTIONS", "GREP_OPTIONS", "GZIP", "BZIP2", "XZ_OPT", "XZ_DEFAULTS"), "adds options"
    ),
    **dict.fromkeys(
        ("ZSTD_CLEVEL", "ZIPOPT", "UNZIP", "UNZIPOPT", "ZIPINFOOPT", "MAKEFLAGS", "MFLAGS"), "adds options"
    ),
    **dict.fromkeys(
        ("GOFLAGS", "RUSTFLAGS", "CFLAGS", "CC", "CXX", "LDFLAGS", "KUBECONFIG", "WGETRC"), "changes a tool"
    ),
    **dict.fromkeys(
        ("RIPGREP_CONFIG_PATH", "CURL_HOME", "NETRC", "INPUTRC", "TERMINFO", "TERMCAP", "HTOPRC"), "names settings"
    ),
    **dict.fromkeys(("BASH_CMDS", "BASH_ALIASES", "argv", "fignore", "mailpath", "MAILPATH", "MAIL"), "is special"),
    **dict.fromkeys(
        ("status", "pipestatus", "watch", "psvar", "manpath", "MANPATH", "MANOPT", "keymap"), "is zsh's own"
    ),
}
_CLIENTS = [start for client in REGISTERED.values() for start in client.variables]
PREFIXES = {
    **dict.fromkeys(("LD_", "DYLD_", "GLIBC_", "GCONV_"), "changes what programs load"),
    **dict.fromkeys(
        ("GIT_", "GH_", "GITHUB_", "SSH_", "GPG_", "GNUPG", "HG", "SVN_"), "changes what git and its like run"
    ),
    **dict.fromkeys(("BASH_", "ZSH_", "COMP_", "READLINE_"), "changes the shell"),
    **dict.fromkeys(("PERDURE_", *_CLIENTS), "tells the guard where it is"),
    **dict.fromkeys(
        ("PYTHON", "PERL", "RUBY", "NODE_", "JAVA_", "_JAVA", "JDK_", "LUA_", "PHP"), "changes an interpreter"
    ),
    **dict.fromkeys(
        ("NPM_", "npm_", "YARN_", "PNPM_", "PIP_", "UV_", "CARGO_", "RUSTC", "GEM_", "BUNDLE_"), "changes a tool"
    ),
    **dict.fromkeys(
        ("RUSTUP_", "VIRTUAL_ENV", "CONDA_", "GOROOT", "GOPATH", "GOENV", "GOTOOLCHAIN", "GRADLE_", "MAVEN_", "MVN_"),
        "changes a tool",
    ),
    **dict.fromkeys(
        ("COMPOSER_", "COREPACK_", "POETRY_", "PIPENV_", "RUFF_", "MYPY", "PYENV_", "RBENV_", "NVM_", "ASDF_", "MISE_"),
        "changes a tool",
    ),
    **dict.fromkeys(
        ("DOTNET_", "NUGET_", "BUN_", "DENO_", "ANSIBLE_", "CMAKE_", "NINJA_", "GCC_", "CTAGS"), "changes a tool"
    ),
    **dict.fromkeys(
        ("LOCPATH", "NLSPATH", "TZDIR", "MALLOC_", "RES_OPTIONS", "HOSTALIASES", "LOCALDOMAIN"), "changes the library"
    ),
    **dict.fromkeys(("LESS", "FZF_", "BAT_", "DELTA_", "MAN", "PAGER_", "XDG_"), "changes a viewer"),
    **dict.fromkeys(
        ("DOCKER_", "COMPOSE_", "KUBE", "HELM_", "AWS_", "AZURE_", "CLOUDSDK_", "TF_", "VAULT_"), "changes a tool"
    ),
    **dict.fromkeys(("TMU",), "tells the guard where it is"),  # those of tmux; only `place/` may name them in full
    **dict.fromkeys(("GETCONF_", "SYSTEMD_", "SSLKEY", "PSQL_", "RSYNC_", "XTABLES_", "SHELLCHECK_"), "changes a tool"),
    **dict.fromkeys(("PG", "MYSQL_", "REDIS", "SQLITE_", "CURL_", "WGET", "SSL_", "OPENSSL_"), "changes a tool"),
    **dict.fromkeys(
        ("HTTP_", "HTTPS_", "ALL_PROXY", "http_", "https_", "all_proxy", "ftp_"), "sends traffic elsewhere"
    ),
}


HARMLESS_VALUES = {
    **dict.fromkeys(
        ("PAGER", "GIT_PAGER", "MANPAGER", "GH_PAGER", "AWS_PAGER", "SYSTEMD_PAGER", "BAT_PAGER"), ("cat", "")
    ),
    **dict.fromkeys(("GIT_OPTIONAL_LOCKS", "GIT_TERMINAL_PROMPT", "GIT_LITERAL_PATHSPECS"), ("0", "1")),
    **dict.fromkeys(("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "NODE_NO_WARNINGS"), ("1",)),
    **dict.fromkeys(("PIP_DISABLE_PIP_VERSION_CHECK", "GH_NO_UPDATE_NOTIFIER", "CARGO_NET_OFFLINE"), ("1", "true")),
    **dict.fromkeys(("CARGO_TERM_COLOR", "PIP_NO_COLOR"), ("never", "always", "auto", "1")),
}
"""Variables that are harmless with these values: what is shown goes to `cat`, or nothing is asked and locked."""
UNMOVED = frozenset("env printenv grep egrep cat head tail wc sort uniq cut tr ls".split())
"""Programs that take from their environment only variables that are named in this module."""


def is_harmless_value(name: str, content: str | None) -> bool:
    return content is not None and content in HARMLESS_VALUES.get(name, ())


def set_in_the_shell(name: str) -> str:
    """Why setting this variable of the shell may change what runs; '' where it may not."""
    if name in HARMLESS:
        return ""
    reason = SHELL_VARIABLES.get(name) or next((why for start, why in PREFIXES.items() if name.startswith(start)), "")
    return f"setting {name}: it {reason}" if reason else ""


def given_to_a_program(name: str) -> str:
    """Why giving this variable to a program may change what it does; '' where it is known not to."""
    if name in HARMLESS:
        return ""
    if (name.islower() or len(name) <= 2) and not set_in_the_shell(name):
        return ""  # programs read their settings from longer names in capitals
    return set_in_the_shell(name) or f"setting {name} for a program may change what that does"
