"""What can be looked at without calling anybody: file, environment, extras, port, specs."""

from collections.abc import Mapping, Sequence
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from pathlib import Path

from msgspec.structs import replace

from majordomo.catalog.provider import Provider
from majordomo.config.dsn import BadDsn
from majordomo.config.env import load_env, variable_of
from majordomo.config.file import Settings, problems, read
from majordomo.config.gateway import Gateway
from majordomo.contract import Failure, InvalidRequest
from majordomo.engine.registry import Registry
from majordomo.engine.target import Target
from majordomo.gateway.server import listen

from .advice import advice
from .finding import Finding


def check_config(path: Path | None, environ: Mapping[str, str]) -> tuple[Settings, list[Finding]]:
    """Read the file; give all of it that is sound, and everything that is wrong with it."""
    if path is None:
        fix = "`majordomo init` writes one; LLM_ variables and the usual keys work without"
        return Settings(), [
            Finding(check="config", where="no majordomo.toml", level="aside", fix=fix)
        ]
    where = _short(path)
    try:
        text = path.read_text(encoding="utf-8")
        settings = read(text, environ, where)
    except (OSError, UnicodeDecodeError, InvalidRequest) as error:
        fix = "mend that line; docs/reference/config.md lists every setting"
        return Settings(), [
            Finding(check="config", where=where, level="wrong", said=_brief(error, where), fix=fix)
        ]
    wrong = [
        Finding(
            check="config",
            where=where,
            level="wrong",
            said=_brief(problem, where),
            fix=advice(problem) or _SPEC_ADVICE,
        )
        for problem in problems(settings, text, where)
    ]
    if wrong:
        return _sound(settings), wrong
    return settings, [Finding(check="config", where=where)]


_SPEC_ADVICE = (
    "name a target as provider/model-id, or define the alias under [aliases]; "
    "`majordomo models` lists what is known"
)


def check_environment(environ: Mapping[str, str]) -> list[Finding]:
    """Read every LLM_ variable."""
    loaded = load_env(environ)
    good = [
        Finding(check="environment", where=variable_of(name), said=f"provider {name}")
        for name in loaded.providers
    ]
    return good + [
        Finding(
            check="environment",
            where=problem.name,
            level="wrong",
            said=problem.problem,
            fix=advice(problem),
        )
        for problem in loaded.problems
    ]


_EXTRAS = {
    "serve": ("uvicorn", "the gateway needs it"),
    "local": ("xllamacpp", "the embedded model needs it"),
}


def check_extras(settings: Settings, specs: Sequence[str]) -> list[Finding]:
    """See that what is asked for is installed; what nobody asked for is only mentioned."""
    written = [*specs, *settings.aliases.values(), *settings.routes.values(), settings.default]
    wanted = {"local": any("local" in spec for spec in written), "serve": True}
    findings: list[Finding] = []
    for extra, (module, why) in _EXTRAS.items():
        if find_spec(module) is not None:
            findings.append(Finding(check="extra", where=extra, said=f"{module} is installed"))
            continue
        findings.append(
            Finding(
                check="extra",
                where=extra,
                level="wrong" if wanted[extra] else "aside",
                said=f"{module} is not installed; {why}",
                fix=f"pip install 'pymajordomo[{extra}]'",
            )
        )
    return findings


def check_port(gateway: Gateway) -> list[Finding]:
    """Try to listen where the gateway would."""
    where = gateway.unix_socket or f"{gateway.host}:{gateway.port}"
    if gateway.unix_socket and Path(gateway.unix_socket).exists():
        return [Finding(check="port", where=where, level="aside", said="the socket file exists")]
    try:
        listen(gateway).close()
    except InvalidRequest as error:
        if not gateway.unix_socket and _is_ours(gateway):
            return [Finding(check="port", where=where, said="a gateway is running")]
        said = str(error).removeprefix(where).strip(" :")
        fix = "stop it, or choose another: `majordomo serve --port N`, or `port` under [gateway]"
        return [Finding(check="port", where=where, level="wrong", said=said, fix=fix)]
    if gateway.unix_socket:
        Path(gateway.unix_socket).unlink(missing_ok=True)
    return [Finding(check="port", where=where, said="free")]


def _is_ours(gateway: Gateway) -> bool:
    connection = HTTPConnection(gateway.host, gateway.port, timeout=2.0)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().read(64) == b'{"status":"ok"}'
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def check_specs(
    registry: Registry, settings: Settings, specs: Sequence[str], environ: Mapping[str, str]
) -> tuple[list[Target], list[Provider], list[Finding]]:
    """Expand what is to be checked: targets to call, and providers of which no model is known."""
    written = specs or [*settings.aliases.values(), *settings.routes.values(), settings.default]
    targets: dict[str, Target] = {}
    findings: list[Finding] = []
    for spec in written:
        if not spec or "*" in spec:
            continue
        try:
            targets |= {target.name: target for target in registry.parse(spec).targets}
        except BadDsn:
            continue  # found where it is written
        except Failure as failure:
            findings.append(
                Finding(
                    check="spec", where=spec, level="wrong", said=str(failure), fix=advice(failure)
                )
            )
    if specs:
        return list(targets.values()), [], findings
    seen = {target.provider.name for target in targets.values()}
    paid = [row for name, row in registry.providers.items() if name not in seen]
    return (
        list(targets.values()),
        [row for row in paid if _configured(row, settings, environ)],
        findings,
    )


def _configured(row: Provider, settings: Settings, environ: Mapping[str, str]) -> bool:
    """Tell whether somebody set this provider up: a DSN, or the key it is paid with."""
    if row.name in settings.providers or environ.get(variable_of(row.name)):
        return True
    return any(environ.get(name, "").strip() for name in row.key_env)


def _sound(settings: Settings) -> Settings:
    """Keep what works of a file, so that the rest of it can be looked at too."""
    sound = replace(settings, default="", aliases={}, routes={}, providers={})
    for field in ("providers", "aliases", "routes"):
        table: dict[str, str] = getattr(settings, field)
        for name, value in table.items():
            tried = replace(sound, **{field: {**getattr(sound, field), name: value}})
            if not list(problems(tried, "")):
                sound = tried
    tried = replace(sound, default=settings.default)
    return sound if list(problems(tried, "")) else tried


def _brief(error: Exception, where: str) -> str:
    said = str(error).removeprefix(where).lstrip(":").strip()
    return f"line {said}" if said[:1].isdigit() else said


def _short(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
