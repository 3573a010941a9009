"""Fewer, larger pieces where one read brought many: a client pays for each, and so do we."""

from collections.abc import Sequence

from majordomo.contract import Event, TextDelta


def joined(events: Sequence[Event]) -> Sequence[Event]:
    """Make one of neighbouring pieces of text; what a model sends at its own pace stays as it is.

    They go out in one write anyway. Of a hundred pieces that came together this saves
    ninety-nine encodings, a third of what such a stream costs.
    """
    if len(events) < 3:
        return events
    whole: list[Event] = []
    texts: list[str] = []
    for event in events:
        if type(event) is TextDelta:
            texts.append(event.text)
            continue
        if texts:
            whole.append(TextDelta(text="".join(texts)))
            texts.clear()
        whole.append(event)
    if texts:
        whole.append(TextDelta(text="".join(texts)))
    return whole
