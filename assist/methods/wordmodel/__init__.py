"""The shared parts of word-model methods: sentence alignment, word models, features of a token. PURE."""
