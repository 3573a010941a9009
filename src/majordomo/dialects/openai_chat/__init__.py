"""openai_chat."""
