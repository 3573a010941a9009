"""An answer on the screen as it comes, and a line about who gave it."""

from typing import TextIO

from majordomo.contract import Event, Fold, Response, ResponseDone, TextDelta, ThinkingDelta
from majordomo.engine.stream import Stream

from .markdown import Markdown
from .terminal import Paint, paint_for


class Screen:
    """Writes text as it comes; thinking is shown dim, and only to people."""

    def __init__(self, out: TextIO, heard: Fold | None = None) -> None:
        """`heard` adds up what is shown, for whoever may break it off."""
        self._out = out
        self._heard = heard
        self._paint = paint_for(out)
        self._people = out.isatty()
        self._markdown = Markdown(self._paint)
        self._thought = False
        self._last = "\n"

    async def show(self, stream: Stream) -> Response:
        """Show a whole answer and give it back; what was shown stays when it breaks off."""
        response: Response | None = None
        try:
            async for event in stream:
                self._event(event)
                if isinstance(event, ResponseDone):
                    response = event.response
        finally:
            self._write(self._markdown.close())
            if self._last != "\n":
                self._write("\n")
        return response if response is not None else await stream.response()

    def _event(self, event: Event) -> None:
        if self._heard is not None:
            self._heard.add(event)
        if isinstance(event, TextDelta):
            if self._thought:
                self._thought = False
                self._write("\n\n")
            self._write(self._markdown.feed(event.text))
        elif isinstance(event, ThinkingDelta) and self._people:
            self._thought = True
            self._write(self._paint(event.text, "dim"))

    def _write(self, text: str) -> None:
        if text:
            self._last = text[-1]
            self._out.write(text)
            if self._people:
                self._out.flush()


def origin(response: Response, paint: Paint, *, wordy: bool = False) -> str:
    """Say who answered if that is not plain: after a failover, or when asked for."""
    failed = [each for each in response.attempts if each.outcome != "served"]
    if not failed and not wordy:
        return ""
    lines = [paint(f"  {each.target}: {each.outcome}: {each.reason}", "yellow") for each in failed]
    usage = response.usage
    counted = f", {usage.input} tokens in, {usage.output} out" if usage.known else ""
    lines.append(paint(f"  served by {response.model}{counted}", "dim"))
    if wordy:
        notes = (f"  {note.kind} {note.what}: {note.why}" for note in response.notes)
        lines += [paint(line, "dim") for line in notes]
    return "\n".join(lines) + "\n"
