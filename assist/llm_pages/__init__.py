"""The page of a language model's prompt and cost."""
