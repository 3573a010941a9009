"""What `majordomo doctor` sees of names, certificates and listings."""

from pathlib import Path

import msgspec
import pytest

from majordomo.cli.background import gateway
from majordomo.cli.finding import Finding
from majordomo.config.file import parse
from majordomo.testing import DialectServer
from support.certificate import Certificate, make_certificate
from support.command import called


@pytest.fixture
def certificate(tmp_path: Path) -> Certificate:
    return make_certificate(tmp_path)


def found(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Finding]:
    said = called(capsys, "doctor", "--json", *arguments)
    findings = msgspec.json.decode(said.out, type=list[Finding])
    return {each.check: each for each in findings}


def test_a_host_that_has_no_address_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LLM_UP", "openai://no-such-host.invalid/v1")
    dns = found(capsys, "up/m")["dns"]
    assert (dns.level, dns.where) == ("wrong", "no-such-host.invalid")
    assert "spelling" in dns.fix


def test_a_certificate_nobody_signed_is_found(
    certificate: Certificate, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with DialectServer.in_thread("ollama", lambda _: "OK", tls=certificate.server) as server:
        monkeypatch.setenv("LLM_UP", server.url.replace("https", "ollama"))
        tls = found(capsys, "up/m")["tls"]
    assert tls.level == "wrong"
    assert "self-signed" in tls.said
    assert "SSL_CERT_FILE" in tls.fix


def test_a_certificate_that_is_trusted_is_right(
    certificate: Certificate, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with DialectServer.in_thread("ollama", lambda _: "OK", tls=certificate.server) as server:
        monkeypatch.setenv("LLM_UP", server.url.replace("https", "ollama"))
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.path))
        findings = found(capsys, "up/m")
    assert findings["tls"].level == "right"
    assert findings["call"].said == "said 'OK'"


def test_plain_http_where_tls_was_expected_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # This server waits for the end of what it takes for a request; others answer 400 at once.
    monkeypatch.setattr("majordomo.cli.check_network._SECONDS", 0.3)
    with DialectServer.in_thread("ollama", lambda _: "OK") as server:
        monkeypatch.setenv("LLM_UP", server.url.replace("http", "ollama"))
        tls = found(capsys, "up/m")["tls"]
    assert tls.level == "wrong"
    assert "+http" in tls.fix


def test_a_provider_without_a_known_model_is_asked_for_its_list(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = parse("[aliases]\nfast = 'openai/x'\n", {})
    with gateway(settings) as url:
        monkeypatch.setenv("LLM_UP", f"anthropic+{url}")
        call = found(capsys)["call"]
    assert (call.where, call.said) == ("up", "lists 2 models")


def test_offline_nobody_is_called(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with DialectServer.in_thread("ollama", []) as server:
        monkeypatch.setenv("LLM_UP", server.url.replace("http", "ollama+http"))
        findings = found(capsys, "--offline", "up/m")
        assert not server.requests
    assert "call" not in findings


def test_a_gateway_that_runs_already_is_no_mistake(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with gateway(parse("", {})) as url:
        (here / "majordomo.toml").write_text(f"[gateway]\nport = {url.rpartition(':')[2]}\n")
        port = found(capsys)["port"]
    assert (port.level, port.said) == ("right", "a gateway is running")
