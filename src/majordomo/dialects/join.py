"""One piece of text for all that one read brought: fewer, larger events where they come at once."""

from collections.abc import Iterable

from majordomo.contract import Event, TextDelta, ThinkingDelta

from .dialect import Decoder


class JoinedDecoder:
    """Any decoder, its neighbouring pieces of text made one.

    The reply is the same; of a hundred pieces that came together, ninety-nine need not be
    carried through the layers above. What a model sends at its own pace stays as it is.
    """

    __slots__ = ("_decoder",)

    def __init__(self, decoder: Decoder) -> None:
        self._decoder = decoder

    def feed(self, chunk: bytes) -> Iterable[Event]:
        return joined(self._decoder.feed(chunk))

    def close(self) -> Iterable[Event]:
        return joined(self._decoder.close())


def joined(events: Iterable[Event]) -> list[Event]:
    """Make one of neighbouring pieces of text, and one of neighbouring thoughts."""
    whole: list[Event] = []
    texts: list[str] = []
    kind: type[TextDelta | ThinkingDelta] = TextDelta  # of what is in `texts`
    for event in events:
        if isinstance(event, TextDelta | ThinkingDelta):
            if texts and type(event) is not kind:
                whole.append(kind(text="".join(texts)))
                texts.clear()
            kind = type(event)
            texts.append(event.text)
            continue
        if texts:
            whole.append(kind(text="".join(texts)))
            texts.clear()
        whole.append(event)
    if texts:
        whole.append(kind(text="".join(texts)))
    return whole
