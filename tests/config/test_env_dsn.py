"""A DSN makes a provider; a bad one is explained without showing any of it."""

import pytest

from majordomo.catalog.provider import Provider
from majordomo.config.dsn import BadDsn, Configured, parse_dsn
from majordomo.config.option import OPTIONS

SECRET = "sk-hush-hush"


def read(dsn: str) -> Configured:
    return parse_dsn("box", dsn, variable="LLM_BOX")


URLS: dict[str, tuple[str, str, str]] = {
    "openai": ("openai://api.example.com", "openai_chat", "https://api.example.com/v1"),
    "openai, own path": (
        "openai://example.com/proxy/v2/",
        "openai_chat",
        "https://example.com/proxy/v2",
    ),
    "responses": ("openai-responses://a.example", "openai_responses", "https://a.example/v1"),
    "anthropic": ("anthropic://a.example", "anthropic", "https://a.example"),
    "gemini": ("gemini://a.example", "gemini", "https://a.example"),
    "ollama": ("ollama://a.example", "ollama", "https://a.example"),
    "foreman": ("foreman://a.example:9000", "ollama", "https://a.example:9000"),
    "no TLS": ("ollama+http://localhost:11434", "ollama", "http://localhost:11434"),
    "IPv6": ("openai://[2001:db8::1]:8443/v1", "openai_chat", "https://[2001:db8::1]:8443/v1"),
    "IPv6 without port": ("ollama+http://[::1]", "ollama", "http://[::1]"),
    "a key before an IPv6 host": ("openai://k@[::1]:1/v1", "openai_chat", "https://[::1]:1/v1"),
    "space around": ("  ollama+http://h:1  ", "ollama", "http://h:1"),
}


@pytest.mark.parametrize(("dsn", "dialect", "url"), URLS.values(), ids=URLS.keys())
def test_a_dsn_says_where_and_how(dsn: str, dialect: str, url: str) -> None:
    provider = read(dsn).provider
    assert (provider.name, provider.dialect, provider.base_url) == ("box", dialect, url)


KEYS: dict[str, tuple[str, str, str]] = {
    "plain": ("openai://sk-1@a.example", "sk-1", "bearer"),
    "percent-encoded": ("openai://p%40ss%2Fw%3Ard%23%3F%25@a.example", "p@ss/w:rd#?%", "bearer"),
    "with a colon": ("openai://user:pass@a.example", "user:pass", "bearer"),
    "anthropic": ("anthropic://sk-1@a.example", "sk-1", "x-api-key"),
    "gemini": ("gemini://sk-1@a.example", "sk-1", "x-goog-api-key"),
    "ollama": ("ollama://sk-1@a.example", "sk-1", "bearer"),
    "chosen": ("openai://sk-1@a.example?auth=api-key", "sk-1", "api-key"),
}


@pytest.mark.parametrize(("dsn", "key", "auth"), KEYS.values(), ids=KEYS.keys())
def test_a_dsn_says_as_whom(dsn: str, key: str, auth: str) -> None:
    provider = read(dsn).provider
    assert (provider.key, provider.auth) == (key, auth)


def test_the_usual_key_goes_to_the_usual_host_only() -> None:
    assert read("openai://api.openai.com").provider.key_env == ("OPENAI_API_KEY",)
    elsewhere = read("openai://evil.example").provider
    assert elsewhere.key_env == ()
    assert not elsewhere.key_required


def test_options_set_capabilities() -> None:
    capabilities = read(
        "openai://a.example?tools=emulated&max_image_px=768&max_image_bytes=5mb&max_images=3"
        "&image_types=png,jpeg&prefill=on&without=temperature,seed&structured=prompt&streaming=off"
    ).capabilities("m")
    assert (capabilities.tools, capabilities.structured) == ("emulated", "prompt")
    assert (capabilities.prefill, capabilities.streaming) == (True, False)
    assert not {"temperature", "seed"} & set(capabilities.knobs)
    images = capabilities.images
    assert images is not None
    assert (images.max_side, images.max_bytes, images.max_count) == (768, 5 * 1024**2, 3)
    assert images.mimes == ("image/png", "image/jpeg")


def test_pictures_can_be_turned_off_and_documents_on() -> None:
    capabilities = read("ollama+http://h?images=off&documents=on").capabilities("m")
    assert capabilities.images is None
    assert capabilities.documents is not None


def test_what_the_operator_says_beats_what_is_known_of_the_model() -> None:
    assert read("ollama+http://h").capabilities("tinyllama").tools == "emulated"
    assert read("ollama+http://h?tools=native").capabilities("tinyllama").tools == "native"


def test_options_set_the_wire_and_the_timeouts() -> None:
    provider = read(
        "openai://a.example?max_tokens_field=max_tokens&stream_usage=off&timeout=45"
        "&connect_timeout=2.5s&total_timeout=90"
    ).provider
    assert provider.wire.max_tokens_field == "max_tokens"
    assert provider.wire.stream_usage is False
    assert (provider.timeouts.first_byte, provider.timeouts.idle) == (45.0, 45.0)
    assert (provider.timeouts.connect, provider.timeouts.total) == (2.5, 90.0)


BAD: dict[str, tuple[str, str]] = {
    "a bare key": (SECRET, "is not of the form"),
    "a key for a scheme": (f"{SECRET}://host", "unknown scheme"),
    "a misspelt scheme": (f"opnai://{SECRET}@host", "did you mean 'openai'?"),
    "a wrong transport": (f"openai+tcp://{SECRET}@host", "openai+http://"),
    "no host": (f"openai://{SECRET}@", "names no host"),
    "no host with a port": (f"openai://{SECRET}@:80", "names no host"),
    "a bad port": (f"openai://{SECRET}@host:99999", "host or port"),
    "a port that is none": (f"openai://{SECRET}@host:{SECRET}", "host or port"),
    "a broken IPv6 host": (f"openai://{SECRET}@[::1", "host or port"),
    "a slash in the key": (f"openai://{SECRET}/x@host", "%2F"),
    "a question mark in the key": (f"openai://{SECRET}?x@host", "%3F"),
    "a hash in the key": (f"openai://{SECRET}#x@host", "%23"),
    "a fragment": (f"openai://host#{SECRET}", "%23"),
    "a host that is none": (f"openai://ho st{SECRET}", "no host name"),
    "an unknown option": (f"openai://{SECRET}@host?tool=native", "did you mean 'tools'?"),
    "a key as an option": (f"openai://host?{SECRET}", "unknown option in place 1"),
    "an option twice": (f"openai://{SECRET}@host?tools=off&tools=native", "sets tools twice"),
    "a word that is none": (
        f"openai://host?tools={SECRET}",
        "tools must be native, emulated or off",
    ),
    "a number that is none": (f"openai://host?max_images={SECRET}", "max_images must be a whole"),
    "no seconds": (f"openai://host?timeout={SECRET}", "timeout must be a number of seconds"),
    "endless seconds": ("openai://host?timeout=inf", "timeout must be a number of seconds"),
    "no size": (f"openai://host?max_image_bytes={SECRET}", "max_image_bytes must be"),
    "no switch": (f"openai://host?images={SECRET}", "images must be on or off"),
    "no knob": (f"openai://host?without={SECRET}", "without must be some of"),
}


@pytest.mark.parametrize(("dsn", "says"), BAD.values(), ids=BAD.keys())
def test_a_bad_dsn_is_explained_without_showing_it(dsn: str, says: str) -> None:
    with pytest.raises(BadDsn) as error:
        read(dsn)
    assert error.value.name == "LLM_BOX"
    assert str(error.value).startswith("LLM_BOX: ")
    assert says in str(error.value)
    for shown in (str(error.value), repr(error.value), repr(error.value.__cause__)):
        assert SECRET not in shown
    assert error.value.__suppress_context__ or error.value.__context__ is None


def test_a_configured_provider_does_not_show_its_key() -> None:
    configured = read(f"openai://{SECRET}@host?tools=off")
    for shown in (repr(configured), str(configured), repr(configured.provider)):
        assert SECRET not in shown


def test_every_option_reads_into_a_field_that_exists() -> None:
    base = read("openai://host").provider
    examples = {"without": "seed", "image_types": "png", "version": "v1", "timeout": "3"}
    words = ("on", "5", "native", "full", "first", "max_tokens", "reasoning", "system", "required")
    for name in OPTIONS:
        for word in (examples.get(name, ""), *words, "seed", "bearer"):
            try:
                configured = read(f"openai://host?{name}={word}")
            except BadDsn:
                continue
            assert isinstance(configured.provider, Provider)
            assert (configured.provider, configured.capabilities("m")) != (
                base,
                read("openai://host").capabilities("m"),
            ) or configured.settings
            break
        else:
            pytest.fail(f"no example for {name}")
