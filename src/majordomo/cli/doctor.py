"""`majordomo doctor`: looks at everything that can be wrong, at once, and says how to fix it."""

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence

import msgspec

from majordomo.config.file import Settings

from .check_network import Network
from .check_setup import check_config, check_environment, check_extras, check_port, check_specs
from .exit_code import DONE, FOUND
from .finding import Finding, shown
from .opening import add_config, config_path, open_registry
from .terminal import paint_for


def run(arguments: Sequence[str]) -> int:
    given = parser().parse_args(arguments)
    settings, findings = check_config(config_path(given.config), os.environ)
    findings += check_environment(os.environ)
    findings += check_extras(settings, given.spec)
    findings += check_port(settings.gateway)
    findings += asyncio.run(_asked(settings, given.spec, offline=given.offline))
    wrong = sum(finding.level == "wrong" for finding in findings)
    if given.json:
        sys.stdout.write(msgspec.json.encode(findings).decode() + "\n")
    else:
        paint = paint_for(sys.stdout)
        sys.stdout.write("".join(shown(finding, paint) for finding in findings))
        sys.stdout.write(f"\n{wrong or 'nothing'} wrong\n")
    return FOUND if wrong else DONE


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="majordomo doctor",
        description="Check configuration, keys, names, TLS and every provider with a tiny call.",
        epilog="Without a spec: every target of the configuration, and every provider that was "
        "given a DSN or a key. Exits with 1 if anything is wrong.",
    )
    parser.add_argument("spec", nargs="*", help="check only what these name")
    parser.add_argument("--offline", action="store_true", help="call nobody")
    parser.add_argument("--json", action="store_true", help="the findings as a JSON list")
    add_config(parser)
    return parser


async def _asked(settings: Settings, specs: Sequence[str], *, offline: bool) -> list[Finding]:
    registry = open_registry(settings)
    registry.load_env()
    targets, providers, findings = check_specs(registry, settings, specs, os.environ)
    network = Network(registry, os.environ, offline=offline)
    checks = [
        *(network.check_target(target) for target in targets),
        *(network.check_provider(provider) for provider in providers),
    ]
    try:
        for group in await asyncio.gather(*checks):
            findings += [finding for finding in group if finding not in findings]
    finally:
        await network.aclose()
    return findings
