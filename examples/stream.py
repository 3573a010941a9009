"""See the words as they come."""

import asyncio

from example_model import example_model

from majordomo.contract import Finish, TextDelta

POEM = [*(TextDelta(text=word) for word in ("The ", "rain ", "has ", "come."))]


async def main() -> None:
    with example_model([*POEM, Finish(reason="stop")]) as model:
        async with model.stream("Write one line about rain.", max_tokens=60) as stream:
            async for word in stream.text():
                print(word, end="", flush=True)
            response = await stream.response()
        print(f"\n  (finished: {response.finish_reason}, served by {response.model})")


if __name__ == "__main__":
    asyncio.run(main())
