"""What OpenAI's SDK makes of an error, in both of its dialects."""

import openai

from .client import Outcome


def refused(error: openai.APIError) -> Outcome:
    if isinstance(error, openai.APIStatusError):
        return Outcome(
            status=error.status_code,
            error=error.message,
            retry_after=error.response.headers.get("retry-after", ""),
        )
    return Outcome(status=-1, error=error.message)
