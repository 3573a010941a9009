"""Show a model an image. It is fitted to whatever each target takes: size, format, count."""

from io import BytesIO

from example_model import example_model
from PIL import Image as Picture

import majordomo


def drawn() -> bytes:
    """Draw a large red square, larger than many models take."""
    file = BytesIO()
    Picture.new("RGB", (3000, 3000), "red").save(file, "BMP")
    return file.getvalue()


def main() -> None:
    square = majordomo.Image(data=drawn(), mime="image/bmp")
    question = majordomo.user("What colour is this square?", square)
    with example_model("It is red.", options="?max_image_px=512") as model:
        response = model.sync.generate(question)
        print(response.text)
        for note in response.notes:
            print(f"  {note.kind} {note.what}: {note.why}")


if __name__ == "__main__":
    main()
