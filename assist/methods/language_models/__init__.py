"""Asking a large language model about pairs: prompts, answers, servers and cost, for `assist.methods.llm`."""
