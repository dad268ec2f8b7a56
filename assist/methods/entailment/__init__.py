"""NLI models: whether a text entails a sentence, which words say that it doesn't, and what of it is carried back."""
