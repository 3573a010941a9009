"""Ask a question; go on talking."""

from example_model import example_model

import majordomo


def main() -> None:
    with example_model("Paris.", "About two million.") as model:
        first = model.sync.generate("What is the capital of France?", system="Be brief.")
        print(first.text)
        print(f"  ({first.model}, {first.usage.total} tokens)")

        history = [
            majordomo.user("What is the capital of France?"),
            first.message,
            majordomo.user("How many people live there?"),
        ]
        print(model.sync.generate(history, system="Be brief.", max_tokens=100).text)


if __name__ == "__main__":
    main()
