"""What every command begins with: the settings, a registry over them, and the spec to use."""

import argparse
import os
from collections.abc import Mapping
from pathlib import Path

from majordomo.config.file import Settings, find, load
from majordomo.contract import InvalidRequest
from majordomo.engine.registry import Registry
from majordomo.route import Patience

CONFIG_VARIABLE = "MAJORDOMO_CONFIG"
MODEL_VARIABLE = "MAJORDOMO_MODEL"


def add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help="majordomo.toml to use")


def add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-m",
        "--model",
        metavar="SPEC",
        help=f"a target, an alias or a chain a/x,b/y (${MODEL_VARIABLE}, then `default`)",
    )


def config_path(given: Path | None, environ: Mapping[str, str] = os.environ) -> Path | None:
    """Say which file counts: the one given, $MAJORDOMO_CONFIG, here, the user's own."""
    if given is not None:
        return given
    named = environ.get(CONFIG_VARIABLE)
    return Path(named) if named else find(Path.cwd(), Path.home(), environ)


def open_settings(given: Path | None) -> Settings:
    path = config_path(given)
    return Settings() if path is None else load(path, os.environ)


def open_registry(settings: Settings, *, patience: Patience | None = None) -> Registry:
    return Registry(
        providers=settings.providers,
        aliases=settings.names,
        patience=patience or settings.patience,
        cooldown=settings.cooldown,
    )


def spec_to_use(
    given: str | None, settings: Settings, environ: Mapping[str, str] = os.environ
) -> str:
    spec = given or environ.get(MODEL_VARIABLE) or settings.default
    if not spec:
        raise InvalidRequest(
            "no model is named: say -m provider/model-id, for example -m openai/gpt-5-mini or "
            f"-m local, or set ${MODEL_VARIABLE}, or `default` in majordomo.toml"
        )
    return spec
