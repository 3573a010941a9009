"""Images fitted to targets: untouched if they fit, made to fit if not, refused with a reason."""

# Pillow's stubs name numpy, which is not installed.
# pyright: reportUnknownMemberType=false

from base64 import b64encode
from io import BytesIO
from typing import cast

import pytest
from PIL import Image as Pillow

from majordomo.contract import (
    Capabilities,
    Document,
    DocumentLimits,
    Image,
    ImageLimits,
    Message,
    Request,
    Text,
    ToolCall,
    ToolResult,
    Unsupported,
    assistant,
    tool_results,
    user,
)
from majordomo.fit import Fitted, ImageCache, fit, is_heavy
from majordomo.fit.media.limits import MAX_DECODED_PIXELS, counted
from majordomo.fit.media.sniff import Found, sniff
from support.gallery import (
    HOSTILE,
    animated,
    chatty_png,
    noise,
    picture,
    saved,
    sixteen_bit,
    turned,
)


def with_limits(limits: ImageLimits | None, **more: object) -> Capabilities:
    return Capabilities(images=limits, **more)  # pyright: ignore[reportArgumentType] -- a test's shorthand


def ask(data: bytes, mime: str = "image/png") -> Request:
    return Request(messages=(user("look", Image(data=data, mime=mime)),))


def only_image(fitted: Fitted) -> Image:
    found = [part for part in fitted.request.messages[0].parts if isinstance(part, Image)]
    assert len(found) == 1
    return found[0]


def opened(image: Image) -> Pillow.Image:
    """Decode what arrives, fully: a header is easily faked."""
    made = Pillow.open(BytesIO(image.data))
    made.load()
    return made


def fitted_image(data: bytes, limits: ImageLimits, mime: str = "image/png") -> Image:
    return only_image(fit(ask(data, mime), with_limits(limits), dialect="openai_chat"))


class TestTheSeedsExamples:
    def test_a_100x50_png_at_a_32_px_target_arrives_as_a_32x16_png(self) -> None:
        arrived = fitted_image(saved(picture(100, 50), "PNG"), ImageLimits(max_side=32))
        assert arrived.mime == "image/png"
        assert opened(arrived).size == (32, 16)
        assert opened(arrived).format == "PNG"

    def test_the_same_request_at_an_8000_px_target_arrives_untouched(self) -> None:
        request = ask(saved(picture(100, 50), "PNG"))
        fitted = fit(request, with_limits(ImageLimits(max_side=8000)), dialect="openai_chat")
        assert fitted.request is request
        assert fitted.notes == ()

    def test_a_text_only_target_refuses_so_that_the_chain_moves_on(self) -> None:
        with pytest.raises(Unsupported, match="takes none"):
            fit(ask(saved(picture(), "PNG")), with_limits(None), dialect="openai_chat")


class TestWhatFits:
    def test_the_very_same_bytes_object_goes_out(self) -> None:
        data = saved(picture(), "JPEG")
        assert fitted_image(data, ImageLimits(max_side=200), "image/jpeg").data is data

    def test_a_lying_mime_is_put_right_without_touching_a_byte(self) -> None:
        data = saved(picture(), "PNG")
        fitted = fit(ask(data, "image/jpeg"), with_limits(ImageLimits()), dialect="anthropic")
        assert only_image(fitted) == Image(data=data, mime="image/png")
        assert only_image(fitted).data is data
        assert [note.kind for note in fitted.notes] == ["repaired"]

    def test_the_callers_request_is_never_changed(self) -> None:
        data = saved(picture(300, 300), "PNG")
        request = ask(data)
        fit(request, with_limits(ImageLimits(max_side=10)), dialect="openai_chat")
        assert request == ask(data)

    def test_a_format_nobody_here_reads_passes_where_it_is_declared(self) -> None:
        svg = HOSTILE["svg"]()
        limits = ImageLimits(mimes=("image/svg+xml",))
        assert fitted_image(svg, limits, "image/svg+xml").data is svg


class TestWhatIsMadeToFit:
    def test_orientation_is_applied_because_its_mark_is_stripped(self) -> None:
        arrived = opened(fitted_image(turned(6), ImageLimits(max_side=60), "image/jpeg"))
        assert arrived.size == (30, 60)
        red = cast("tuple[int, int, int]", arrived.convert("RGB").getpixel((28, 2)))
        assert red[0] > 150 > red[2]  # the corner that was top left is top right now
        assert 0x0112 not in arrived.getexif()

    def test_metadata_is_stripped_when_re_encoding(self) -> None:
        arrived = fitted_image(chatty_png(), ImageLimits(max_side=40))
        assert b"secret" not in arrived.data
        assert "Comment" not in opened(arrived).info
        commented = saved(picture(), "JPEG", comment=b"secret place")
        assert b"secret" not in fitted_image(commented, ImageLimits(max_side=40)).data

    def test_alpha_is_flattened_on_white_for_jpeg(self) -> None:
        clear = saved(Pillow.new("RGBA", (40, 40), (200, 0, 0, 0)), "PNG")
        arrived = opened(fitted_image(clear, ImageLimits(mimes=("image/jpeg",))))
        assert arrived.mode == "RGB"
        assert min(cast("tuple[int, ...]", arrived.getpixel((20, 20)))) > 250

    def test_alpha_survives_in_png(self) -> None:
        clear = saved(Pillow.new("RGBA", (80, 80), (200, 0, 0, 0)), "PNG")
        assert opened(fitted_image(clear, ImageLimits(max_side=40))).mode == "RGBA"

    def test_sixteen_bits_become_eight_without_burning_out(self) -> None:
        arrived = opened(fitted_image(saved(sixteen_bit(), "PNG"), ImageLimits(max_side=32)))
        assert arrived.mode == "L"
        middle = cast("int", arrived.getpixel((16, 12)))
        assert 100 < middle < 160

    def test_an_animation_becomes_its_first_frame_where_it_may_not_move(self) -> None:
        fitted = fit(ask(animated("GIF")), with_limits(ImageLimits()), dialect="openai_chat")
        assert sniff(only_image(fitted).data) == Found("image/gif", 60, 40)
        assert "first frame" in fitted.notes[0].why

    def test_an_animation_stays_where_it_may_move(self) -> None:
        data = animated("WEBP")
        limits = ImageLimits(animated=True)
        assert fitted_image(data, limits, "image/webp").data is data

    @pytest.mark.parametrize(
        ("source", "allowed", "expected"),
        [
            ("WEBP", ("image/webp", "image/jpeg"), "image/webp"),
            ("BMP", ("image/png", "image/jpeg"), "image/jpeg"),
            ("BMP", ("image/webp", "image/png"), "image/png"),
            ("BMP", ("image/svg+xml", "image/webp"), "image/webp"),
            ("AVIF", ("image/gif",), "image/gif"),
        ],
    )
    def test_own_format_then_jpeg_then_png_then_what_can_be_written(
        self, source: str, allowed: tuple[str, ...], expected: str
    ) -> None:
        limits = ImageLimits(mimes=allowed, max_side=64)
        assert fitted_image(saved(picture(), source), limits).mime == expected

    def test_nothing_writable_allowed_is_a_clear_error(self) -> None:
        limits = ImageLimits(mimes=("image/svg+xml",))
        with pytest.raises(Unsupported, match=r"nothing this target takes \(image/svg\+xml\)"):
            fitted_image(saved(picture(), "BMP"), limits)

    def test_the_quality_ladder_comes_before_the_size(self) -> None:
        data = saved(noise(400, 400), "JPEG", quality=98)
        at_30 = len(saved(noise(400, 400), "JPEG", quality=30))
        limits = ImageLimits(max_bytes=counted(at_30 + 6000, base64=True))
        assert opened(fitted_image(data, limits)).size == (400, 400)

    def test_a_very_small_budget_shrinks_the_size(self) -> None:
        data = saved(noise(1000, 1000), "PNG")
        arrived = fitted_image(data, ImageLimits(max_bytes=8_000))
        assert counted(len(arrived.data), base64=True) <= 8_000
        assert max(opened(arrived).size) < 500

    def test_a_hopeless_budget_is_refused(self) -> None:
        with pytest.raises(Unsupported, match="cannot be made smaller"):
            fitted_image(saved(noise(300, 300), "PNG"), ImageLimits(max_bytes=100))

    def test_the_budget_is_counted_in_base64_where_the_target_counts_so(self) -> None:
        data = saved(noise(60, 60), "PNG")
        exact = ImageLimits(max_bytes=len(data), base64=False)
        assert fitted_image(data, exact).data is data
        assert fitted_image(data, ImageLimits(max_bytes=len(data))).data is not data
        just = ImageLimits(max_bytes=len(b64encode(data)))
        assert fitted_image(data, just).data is data


class TestBombs:
    def test_are_refused_by_their_header(self) -> None:
        assert MAX_DECODED_PIXELS < 12_000 * 9_000
        for name in ("png bomb for real", "png bomb by header", "jpeg bomb", "gif bomb"):
            with pytest.raises(Unsupported, match="too many to decode"):
                fitted_image(HOSTILE[name](), ImageLimits(max_side=1000))


class TestManyImages:
    def test_more_than_the_target_takes_are_refused(self) -> None:
        image = Image(data=saved(picture(), "PNG"), mime="image/png")
        request = Request(messages=(user(image, image), assistant("so"), user(image)))
        with pytest.raises(Unsupported, match="3 images; 2 are allowed"):
            fit(request, with_limits(ImageLimits(max_count=2)), dialect="anthropic")

    def test_a_crowd_must_be_smaller_each_results_and_history_counted(self) -> None:
        image = Image(data=saved(picture(300, 300), "PNG"), mime="image/png")
        call = ToolCall(id="a", name="shot", arguments="{}")
        result = ToolResult(id="a", name="shot", content=(image,))
        request = Request(messages=(user(image), assistant(call), tool_results(result)))
        limits = ImageLimits(max_side=8000, crowd=1, crowd_side=100)
        fitted = fit(request, with_limits(limits, result_media=True), dialect="anthropic")
        sizes = {opened(image).size for image in images_of(fitted.request)}
        assert sizes == {(100, 100)}
        alone = fit(ask(image.data), with_limits(limits), dialect="anthropic")
        assert opened(only_image(alone)).size == (300, 300)

    def test_the_whole_request_has_a_budget_which_the_large_ones_pay(self) -> None:
        small = Image(data=saved(picture(), "PNG"), mime="image/png")
        large = Image(data=saved(noise(500, 500), "PNG"), mime="image/png")
        request = Request(messages=(user(small, large, "and", large),))
        budget = 300_000
        fitted = fit(
            request, with_limits(ImageLimits(), max_request_bytes=budget), dialect="anthropic"
        )
        images = images_of(fitted.request)
        assert images[0].data is small.data
        assert sum(len(b64encode(image.data)) for image in images) <= budget
        assert all(opened(image).size == (500, 500) for image in images[1:])

    def test_a_budget_the_images_cannot_meet_is_refused(self) -> None:
        document = Document(data=b"%PDF-1.7" + b"x" * 5000, mime="application/pdf")
        capabilities = Capabilities(documents=DocumentLimits(), max_request_bytes=4000)
        with pytest.raises(Unsupported, match="over 4000"):
            fit(Request(messages=(user(document),)), capabilities, dialect="anthropic")

    def test_identical_images_are_fitted_once(self) -> None:
        cache = ImageCache()
        data = saved(picture(300, 200), "PNG")
        capabilities = with_limits(ImageLimits(max_side=50))
        first = fit(ask(data), capabilities, dialect="openai_chat", images=cache)
        again = fit(ask(bytes(bytearray(data))), capabilities, dialect="openai_chat", images=cache)
        assert only_image(first).data is only_image(again).data
        assert len(cache) == 1
        wider = with_limits(ImageLimits(max_side=60))
        fit(ask(data), wider, dialect="openai_chat", images=cache)
        assert len(cache) == 2

    def test_the_cache_is_bounded_in_bytes(self) -> None:
        cache = ImageCache(max_bytes=3_000)
        for side in range(40, 60):
            limits = ImageLimits(max_side=side)
            data = saved(noise(100, 100), "JPEG")
            fit(ask(data), with_limits(limits), dialect="openai_chat", images=cache)
            assert cache.size <= 3_000


def images_of(request: Request) -> list[Image]:
    flat = [part for message in request.messages for part in message.parts]
    flat += [item for part in flat if isinstance(part, ToolResult) for item in part.content]
    return [part for part in flat if isinstance(part, Image)]


class TestPlaces:
    def test_images_in_tool_results_move_behind_all_results_of_the_turn(self) -> None:
        image = Image(data=saved(picture(), "PNG"), mime="image/png")
        calls = [ToolCall(id=one, name="read", arguments="{}") for one in "ab"]
        results = [
            ToolResult(id="a", name="read", content=(Text(text="here"), image)),
            ToolResult(id="b", name="read", content=(Text(text="nothing"),)),
        ]
        request = Request(messages=(user("go"), assistant(*calls), tool_results(*results)))
        fitted = fit(request, with_limits(ImageLimits()), dialect="openai_chat")
        roles = [message.role for message in fitted.request.messages]
        assert roles == ["user", "assistant", "tool", "user"]
        left = fitted.request.messages[2].tool_results[0]
        assert left.text == "here[image 1 follows in the next message]"
        moved = fitted.request.messages[3]
        assert moved.parts == (Text(text="[image 1, from the result of read]"), image)
        assert [note.what for note in fitted.notes] == ["media"]

    def test_they_stay_where_the_dialect_has_a_place_for_them(self) -> None:
        image = Image(data=saved(picture(), "PNG"), mime="image/png")
        result = ToolResult(id="a", name="read", content=(image,))
        call = ToolCall(id="a", name="read", arguments="{}")
        request = Request(messages=(user("go"), assistant(call), tool_results(result)))
        capabilities = with_limits(ImageLimits(), result_media=True)
        assert fit(request, capabilities, dialect="anthropic").request is request

    def test_nothing_comes_between_a_call_and_its_result(self) -> None:
        image = Image(data=saved(picture(), "PNG"), mime="image/png")
        call = ToolCall(id="a", name="read", arguments="{}")
        result = ToolResult(id="a", name="read", content=(Text(text="ok"),))
        request = Request(messages=(user("go"), assistant(image, call), tool_results(result)))
        fitted = fit(request, with_limits(ImageLimits()), dialect="openai_chat")
        roles = [message.role for message in fitted.request.messages]
        assert roles == ["user", "assistant", "tool", "user"]

    def test_an_assistants_picture_moves_to_the_user(self) -> None:
        image = Image(data=saved(picture(), "PNG"), mime="image/png")
        request = Request(messages=(user("draw"), assistant("done", image), user("thanks")))
        fitted = fit(request, with_limits(ImageLimits()), dialect="anthropic")
        assert not any(isinstance(part, Image) for part in fitted.request.messages[1].parts)
        assert image in fitted.request.messages[2].parts


@pytest.mark.parametrize(
    ("parts", "capabilities", "heavy"),
    [
        ((Text(text="hi"),), Capabilities(), False),
        ((Image(data=saved(picture(), "PNG"), mime="image/png"),), Capabilities(), False),
        (
            (Image(data=saved(picture(), "PNG"), mime="image/png"),),
            Capabilities(images=ImageLimits(max_side=10)),
            True,
        ),
        ((Image(data=saved(picture(), "BMP"), mime="image/bmp"),), Capabilities(), True),
        (
            (Image(data=saved(picture(), "BMP"), mime="image/bmp"),),
            Capabilities(images=None),
            False,
        ),
        (
            (Image(data=saved(noise(90, 90), "PNG"), mime="image/png"),),
            Capabilities(max_request_bytes=9_000),
            True,
        ),
    ],
)
def test_heavy_means_that_pixels_must_be_touched(
    parts: tuple[Text | Image, ...], capabilities: Capabilities, *, heavy: bool
) -> None:
    request = Request(messages=(Message(role="user", parts=parts),))
    assert is_heavy(request, capabilities) is heavy
