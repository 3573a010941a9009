# ruff: noqa: RUF001 -- full-width punctuation is among what models write
"""Finds calls in a reply while it arrives; everything else flows through as prose.

A possible opening is held back only until it is decided. What turns out not to be a call
comes out again, verbatim: nothing is ever swallowed.
"""

import re
from collections.abc import Callable

from .bare import Bare
from .draft import Called, Piece, Prose
from .fence import Fence
from .fence_end import LONGEST_FENCE, edges_of_code, safe_line
from .marked import Marked
from .names import Offers
from .openings import HARMLESS, TRIGGER, WORDS, begins_at_end, none_in
from .react import React
from .settle import Court, Outcome
from .tags import may_be_tag, tag_at
from .tape import Pull, Tape

_RUN = re.compile(r"`+|~+")
_SPAN = re.compile(r"[`\n]")
_LONGEST_LEAD = 24  # of list marks and the like before a word that opens a call
_CONTEXT = 400  # how much of the prose before a block is remembered
_PATIENCE = 32_768  # characters of false starts that are always forgiven
_ATTEMPT = 80  # what a false start costs at least, in characters
_FENCE_ATTEMPT = 24  # and a fence of code, which is no rare thing
_MANY = 64  # pieces, before they are made one


class Finder:
    """Feed it text; it gives prose, calls and broken calls in their order."""

    def __init__(
        self,
        offers: Offers,
        *,
        nonce: str = "",
        quoted: Callable[[str], bool] | None = None,
    ) -> None:
        self._tape = Tape()
        self._out: list[Piece] = []
        self._spoken: list[str] = []
        self._column = 0  # how far the line has come in what was given out
        self._unsent: list[str] = []
        self._spent = 0  # characters read in vain
        self._blind_until = 0
        self._offers = offers
        self._nonce = nonce
        self._quoted = quoted
        self._words: dict[str, int | None] = {}  # where each comes next, if it does
        self._trigger: int | None = -1  # where the next one stands, as far as is known
        self._run = self._main()
        self._over = False
        # Where nothing is held back, text passes that has none of these; (): nor an opening.
        self._stops: tuple[str, ...] | None = ()
        self._passed: list[str] = []  # at a glance, and not counted yet
        self._orphan = False  # a call's fence was never closed: its closing line may still come

    def passes(self, chunk: str) -> bool:
        """Say whether this is nothing but prose, and if it is, remember it as given out.

        Most text is, and then it costs a few searches at the speed of C: no reader is woken,
        and nothing that they need to know of the tools is ever worked out.
        """
        stops = self._stops
        if stops is None or (not stops and not none_in(chunk)):
            return False
        for stop in stops:
            if stop in chunk:
                return False
        self._passed.append(chunk)
        if len(self._passed) > _MANY:
            self._catch_up()
        return True

    def feed(self, chunk: str) -> list[Piece]:
        self._stops = None
        if self._passed:
            self._catch_up()
        self._tape.feed(chunk)
        self._words.clear()
        self._trigger = -1
        return self._go()

    def close(self) -> list[Piece]:
        self._tape.ended = True
        if self._stops is not None:
            self._over = True
            return []
        self._trigger = -1
        return self._go()

    def _catch_up(self) -> None:
        """Count and remember what has passed."""
        text = "".join(self._passed)
        self._passed.clear()
        self._tape.skip(len(text))
        self._remember(text)

    def _go(self) -> list[Piece]:
        if not self._over:
            self._over = next(self._run, True) is True
        self._flush()
        out, self._out = self._out, []
        return out

    def _main(self) -> Pull[None]:
        court = Court(self._tape, self._offers, self._quoted)
        self._bare = Bare(court)
        self._fence = Fence(court, self._bare, nonce=self._nonce)
        self._markers = Marked(court)
        self._react = React(court, self._bare)
        while (yield from self._prose()):
            yield from self._candidate()

    def _prose(self) -> Pull[bool]:
        """Let prose through up to the next thing that may open a call; False at the end."""
        tape = self._tape
        while True:
            hit = self._next_hit()
            if hit >= 0:
                self._say(tape.text[tape.pos : hit])
                tape.pos = hit
                return True
            keep = len(tape.text) if tape.ended else self._held_from()
            self._say(tape.text[tape.pos : keep])
            tape.pos = keep
            if tape.ended:
                return False
            self._stops = () if keep == len(tape.text) else None
            yield

    def _next_hit(self) -> int:
        """Find the next place that may open a call; -1 when there is none in sight."""
        tape = self._tape
        start = max(tape.at, self._blind_until)
        if self._trigger is not None and self._trigger < start:
            hit = self._next_trigger(tape.index(start))
            self._trigger = tape.place(hit) if hit >= 0 else None
        hit = -1 if self._trigger is None else tape.index(self._trigger)
        for word in WORDS:
            place = self._words.get(word, -1)
            if place is not None and place < tape.at:
                place = self._find(word)
            if place is not None and (hit < 0 or tape.index(place) < hit):
                hit = tape.index(place)
        return hit

    def _next_trigger(self, pos: int) -> int:
        """Pass everything that only looks like an opening at first sight."""
        text = self._tape.text
        while True:
            found = TRIGGER.search(text, pos)
            if found is None:
                return -1
            hit = found.start()
            passed = HARMLESS.match(text, hit)
            if passed is not None:
                pos = max(passed.end(), hit + 1)
            elif text[hit] in "{｛" and self._bare.hopeless(hit):
                pos = hit + 1
            else:
                return hit

    def _find(self, word: str) -> int | None:
        start = max(self._tape.pos, self._tape.index(self._blind_until))
        at = self._tape.text.find(word, start)
        while at >= 0 and not self._starts_line(at):
            at = self._tape.text.find(word, at + 1)
        self._words[word] = None if at < 0 else self._tape.place(at)
        return self._words[word]

    def _starts_line(self, at: int) -> bool:
        return not self._line_before(at).strip(" \t*#>-0123456789.")

    def _line_before(self, at: int) -> str:
        """Give what stands on the line before this place."""
        text = self._tape.text
        start = text.rfind("\n", self._tape.pos, at) + 1
        if start:
            return text[start:at]
        return self._before().rpartition("\n")[2] + text[self._tape.pos : at]

    def _held_from(self) -> int:
        """Find where an unfinished line begins to look like a word that opens a call."""
        text, pos = self._tape.text, self._tape.pos
        start = text.rfind("\n", pos) + 1
        length = len(text) - (start or pos)
        if not begins_at_end(text):
            return len(text)
        if length > _LONGEST_LEAD or (not start and self._column > _LONGEST_LEAD):
            return len(text)
        for begin in range(start or pos, len(text)):
            part = text[begin:]
            if any(word.startswith(part) for word in WORDS) and self._starts_line(begin):
                return begin
        return len(text)

    def _candidate(self) -> Pull[None]:
        char = self._tape.text[self._tape.pos]
        if char in "`~":
            yield from self._ticks()
        elif char in "<[":
            yield from self._marked(char)
        elif char in "Aj":
            yield from self._try(self._react.read(self._before()), 1)
        elif self._bare.hopeless():
            self._take(1)
        else:
            yield from self._try(self._bare.read(self._before()), 1)

    def _marked(self, char: str) -> Pull[None]:
        tape = self._tape
        while True:
            tag = tag_at(tape.text, tape.pos)
            if tag is not None or tape.ended:
                break
            if not may_be_tag(tape.text, tape.pos, self._offers.names):
                break
            yield
        if tag is not None and not tag.close and tag.role == "think":
            yield from self._verbatim(
                re.compile(rf"</{re.escape(tag.written)}\s*>"), len(tag.written) + 3
            )
            return
        if tag is None and char == "<":
            self._take(1)
            return
        if tag is not None:
            yield from self._try(self._markers.read(self._before()), 1)
        elif self._bare.hopeless():
            self._take(1)
        else:
            yield from self._try(self._bare.read(self._before()), 1)

    def _ticks(self) -> Pull[None]:
        """Decide what a run of backticks opens: a fence, or a span of code in a line."""
        tape = self._tape
        while True:
            run = _RUN.match(tape.text, tape.pos)
            length = len(run.group()) if run else 1
            if tape.pos + length < len(tape.text) or tape.ended:
                break
            yield
        if length < 3 or length > LONGEST_FENCE:
            self._take(length)
            if length < 3 and tape.text[tape.pos - 1] == "`":
                yield from self._span(length)
            return
        if self._orphan and (yield from self._closing_line(length)):
            return
        fence = tape.text[tape.pos] * length
        if not (yield from self._try(self._fence.read(self._before()), 0, _FENCE_ATTEMPT)):
            yield from self._code(fence)

    def _closing_line(self, length: int) -> Pull[bool]:
        """Swallow the late end of a fence whose call was already given."""
        while True:
            rest = self._tape.text[self._tape.pos + length : self._tape.pos + length + 16]
            if "\n" in rest or self._tape.ended or rest.strip() or len(rest) >= 16:
                break
            yield
        self._orphan = False
        if rest.partition("\n")[0].strip():
            return False
        self._tape.pos += length
        return True

    def _span(self, length: int) -> Pull[None]:
        """Let a span of code through: until as many backticks again, or the end of the line."""
        tape = self._tape
        while True:
            stop = _SPAN.search(tape.text, tape.pos)
            end = stop.start() if stop else len(tape.text)
            self._take(end - tape.pos)
            if stop is None:
                if tape.ended:
                    return
                self._stops = ("`", "\n")
                yield
                continue
            if stop.group() == "\n":
                return
            run = _RUN.match(tape.text, tape.pos)
            ticks = len(run.group()) if run else 1
            if tape.pos + ticks >= len(tape.text) and not tape.ended:
                yield
                continue
            self._take(ticks)
            if ticks == length:
                return

    def _code(self, fence: str) -> Pull[None]:
        """Let a fenced block through verbatim, up to the line that closes it."""
        tape = self._tape
        bare = (yield from self._info(len(fence))) == ""
        self._take(len(fence))
        closing, action = edges_of_code(fence)
        while True:
            stop = closing.search(tape.text, tape.pos)
            edge = stop.start() if stop else len(tape.text)
            other = action.search(tape.text, tape.pos, edge) if bare else None
            if other is not None:
                self._take(other.end() - tape.pos)
                return
            if stop is not None and (stop.end() < len(tape.text) or tape.ended):
                self._take(stop.end() - tape.pos)
                return
            if tape.ended:
                self._take(len(tape.text) - tape.pos)
                return
            self._take(safe_line(tape) - tape.pos)
            self._stops = ("\n",) if tape.pos == len(tape.text) else None
            yield

    def _info(self, length: int) -> Pull[str]:
        while True:
            start = self._tape.pos + length
            line, newline, _ = self._tape.text[start : start + 120].partition("\n")
            if newline or self._tape.ended or len(line) > 100:
                return line.strip()
            yield

    def _verbatim(self, closing: re.Pattern[str], reach: int) -> Pull[None]:
        tape = self._tape
        while True:
            stop = closing.search(tape.text, tape.pos)
            if stop is not None:
                self._take(stop.end() - tape.pos)
                return
            if tape.ended:
                self._take(len(tape.text) - tape.pos)
                return
            last = tape.text.rfind("<", max(tape.pos, len(tape.text) - reach))
            self._take((last if last >= 0 else len(tape.text)) - tape.pos)
            self._stops = ("<",) if last < 0 else None
            yield

    def _try(self, reading: Pull[Outcome], refused: int, least: int = _ATTEMPT) -> Pull[bool]:
        """Read a possible call; when it is none, give so many characters back as prose."""
        tape = self._tape
        mark = tape.mark()
        outcome = yield from reading
        if not any(isinstance(piece, Called) for piece in outcome.pieces):
            self._spent += max(tape.at - mark, least)
            # Text that is made of false starts is not worth looking at everywhere.
            self._blind_until = 8 * (self._spent - _PATIENCE)
        if outcome.pieces:
            self._flush()
            self._out += outcome.pieces
            self._orphan = outcome.unclosed
            self._spoken.clear()
            tape.release()
            return True
        tape.rewind(mark)
        tape.release()
        self._take(refused)
        return False

    def _take(self, count: int) -> None:
        """Pass so many characters on as prose."""
        self._say(self._tape.text[self._tape.pos : self._tape.pos + count])
        self._tape.pos += count

    def _say(self, text: str) -> None:
        if text:
            self._unsent.append(text)

    def _flush(self) -> None:
        """Turn what was said since the last piece into one."""
        if self._unsent:
            text = "".join(self._unsent)
            self._out.append(Prose(text))
            self._remember(text)
            self._unsent.clear()

    def _remember(self, text: str) -> None:
        newline = text.rfind("\n")
        self._column = len(text) - newline - 1 + (self._column if newline < 0 else 0)
        self._spoken.append(text[-_CONTEXT:])
        if len(self._spoken) > _MANY:
            self._spoken = ["".join(self._spoken)[-_CONTEXT:]]

    def _before(self) -> str:
        """Give the end of the prose that leads to this place."""
        near = "".join(self._unsent[-_CONTEXT:])
        if len(near) >= _CONTEXT:
            return near[-_CONTEXT:]
        return ("".join(self._spoken) + near)[-_CONTEXT:]
