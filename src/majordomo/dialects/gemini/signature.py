"""`thoughtSignature` and whatever else stands beside a part's payload.

Signatures go back in the same position, byte for byte. Another dialect's artefact travels
through our clients in the same field, sealed; the field is base64, so the seal is, too.
https://ai.google.dev/gemini-api/docs/thought-signatures
"""

from majordomo.contract import Artefact, JsonObject, Malformed
from majordomo.dialects.artefact import own, seal, unseal
from majordomo.dialects.media import decode_base64, encode_base64

# Stands for the signature of a call that another model made.
# https://ai.google.dev/gemini-api/docs/thought-signatures#faqs
STAND_IN = "skip_thought_signature_validator"


def to_model(artefact: Artefact | None) -> JsonObject:
    """Give what may go to a target: only what its own dialect wrote."""
    return own(artefact, "gemini")


def to_client(artefact: Artefact | None) -> JsonObject:
    """Give what a client will echo to us: another dialect's artefact goes sealed."""
    if artefact is None or artefact.dialect == "gemini":
        return own(artefact, "gemini")
    return {"thoughtSignature": encode_base64(seal(artefact).encode())}


def attached(value: JsonObject) -> Artefact | None:
    return Artefact(dialect="gemini", value=value) if value else None


def opened(artefact: Artefact | None) -> Artefact | None:
    """Give the artefact of another dialect that came back from a client, or this one."""
    match own(artefact, "gemini").get("thoughtSignature"):
        case str(signature):
            try:
                text = decode_base64(signature, "thoughtSignature").decode()
            except (Malformed, UnicodeDecodeError):
                return artefact
            return unseal(text) or artefact
        case _:
            return artefact
