"""pydantic-ai's model layer, where it is installed: it is not among our pins."""

from contextlib import AsyncExitStack
from importlib import import_module

from asking import PROMPT, Ask


async def prepare(url: str, stack: AsyncExitStack) -> tuple[Ask, Ask]:
    del stack
    models = import_module("pydantic_ai.models.openai")
    providers = import_module("pydantic_ai.providers.openai")
    agents = import_module("pydantic_ai")
    provider = providers.OpenAIProvider(base_url=url, api_key="k")
    agent = agents.Agent(models.OpenAIChatModel("mock", provider=provider))

    async def call() -> str:
        return str((await agent.run(PROMPT)).output)

    async def stream() -> str:
        async with agent.run_stream(PROMPT) as result:
            return "".join(
                [piece async for piece in result.stream_text(delta=True, debounce_by=None)]
            )

    return call, stream
