"""What fitting an image costs, beside the codec alone: time, memory, and the image that fits.

`python bench/media.py [--quick]` shrinks a 12-megapixel JPEG to 1568 pixels, prints the figures,
writes `bench/results/media.json`, and fails if a promise is broken. Figures of one run compare;
those of different machines do not.
"""

# Pillow's stubs name numpy, which is not installed.
# pyright: reportUnknownMemberType=false

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from time import process_time
from timeit import repeat

from PIL import Image as Pillow

from majordomo.contract import Capabilities, Image, ImageLimits, Request, user
from majordomo.fit import fit

_RESULTS = Path(__file__).parent / "results" / "media.json"
_SIDE = 1568
_MOST_TIMES, _MOST_MB, _MOST_MICROSECONDS = 1.3, 120.0, 20.0
_TARGET = Capabilities(images=ImageLimits(max_side=_SIDE, max_bytes=10_000_000))


def main() -> int:
    if "--peak" in sys.argv:
        return print_peak()
    passes = 5 if "--quick" in sys.argv else 15
    photo = make_photo()
    times = measure_times(photo, passes)
    fastest = min(time for name, time in times.items() if name != "majordomo")
    figures = {
        "milliseconds": times,
        "times the fastest": times["majordomo"] / fastest,
        "peak megabytes": measure_peak(photo),
        "microseconds for an image that fits": measure_fitting(passes),
    }
    print_figures(figures, times)
    _RESULTS.parent.mkdir(exist_ok=True)
    _RESULTS.write_text(json.dumps(figures, indent=2) + "\n")
    return report(figures)


def make_photo() -> bytes:
    """4000x3000 with detail everywhere, as a camera makes it."""
    soft = [Pillow.effect_noise((1000, 750), 60).resize((4000, 3000)) for _ in range(3)]
    out = BytesIO()
    Pillow.merge("RGB", soft).save(out, "JPEG", quality=90)
    return out.getvalue()


def thumbnail(photo: bytes) -> bytes:
    picture = Pillow.open(BytesIO(photo))
    picture.thumbnail((_SIDE, _SIDE), reducing_gap=2.0)
    return _jpeg(picture)


def draft_and_resize(photo: bytes) -> bytes:
    picture = Pillow.open(BytesIO(photo))
    size = (_SIDE, _SIDE * picture.height // picture.width)
    picture.draft("RGB", size)
    return _jpeg(picture.resize(size, Pillow.Resampling.BICUBIC, reducing_gap=2.0))


def resize_whole(photo: bytes) -> bytes:
    picture = Pillow.open(BytesIO(photo))
    size = (_SIDE, _SIDE * picture.height // picture.width)
    return _jpeg(picture.resize(size, Pillow.Resampling.BICUBIC))


def fitted(photo: bytes) -> bytes:
    request = Request(messages=(user(Image(data=photo, mime="image/jpeg")),))
    image = fit(request, _TARGET, dialect="anthropic").request.messages[0].parts[0]
    assert isinstance(image, Image)
    assert max(Pillow.open(BytesIO(image.data)).size) == _SIDE
    return image.data


def _jpeg(picture: Pillow.Image) -> bytes:
    out = BytesIO()
    picture.save(out, "JPEG", quality=85)
    return out.getvalue()


CONTESTANTS: dict[str, Callable[[bytes], bytes]] = {
    "majordomo": fitted,
    "Pillow, thumbnail": thumbnail,
    "Pillow, draft and resize": draft_and_resize,
    "Pillow, whole": resize_whole,
}


def measure_times(photo: bytes, passes: int) -> dict[str, float]:
    """Milliseconds of CPU, the least of several turns taken one after another."""
    least = dict.fromkeys(CONTESTANTS, float("inf"))
    if find_spec("pyvips") is None:
        print("pyvips is not installed: left out")
    for _ in range(passes):
        for name, shrink in CONTESTANTS.items():
            start = process_time()
            shrink(photo)
            least[name] = min(least[name], (process_time() - start) * 1000)
    return least


def measure_peak(photo: bytes) -> float:
    """Megabytes of a whole process that does nothing else: Python, Pillow, the photo and all."""
    done = subprocess.run(
        [sys.executable, __file__, "--peak"], input=photo, capture_output=True, check=True
    )
    return float(done.stdout)


def print_peak() -> int:
    fitted(sys.stdin.buffer.read())
    # Not `ru_maxrss`: a child inherits there what its parent had before it.
    status = Path("/proc/self/status").read_text()
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    print(int(peak.split()[1]) / 1024)
    return 0


def measure_fitting(passes: int) -> float:
    """Microseconds that an image which needs no change adds to fitting its request."""
    out = BytesIO()
    Pillow.new("RGB", (1200, 900)).save(out, "JPEG")
    plain = Request(messages=(user("look"),))
    with_image = Request(messages=(user("look", Image(data=out.getvalue(), mime="image/jpeg")),))

    def cost(request: Request) -> float:
        runs = repeat(
            lambda: fit(request, _TARGET, dialect="anthropic"),
            number=2000,
            repeat=passes,
            timer=process_time,
        )
        return min(runs) / 2000 * 1e6

    return cost(with_image) - cost(plain)


def print_figures(figures: Mapping[str, object], times: dict[str, float]) -> None:
    for name, time in times.items():
        print(f"{name:28} {time:8.1f} ms")
    for name, figure in figures.items():
        if isinstance(figure, float):
            print(f"{name:36} {figure:8.2f}")


def report(figures: Mapping[str, object]) -> int:
    promises = {
        "times the fastest": _MOST_TIMES,
        "peak megabytes": _MOST_MB,
        "microseconds for an image that fits": _MOST_MICROSECONDS,
    }
    broken = 0
    for name, most in promises.items():
        figure = figures[name]
        if isinstance(figure, float) and figure > most:
            print(f"broken: {name} is {figure:.2f}, at most {most} was promised")
            broken = 1
    return broken


if __name__ == "__main__":
    sys.exit(main())
