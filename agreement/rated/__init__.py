"""Items made by a language model, as people rated them: averages, agreement, and the validated ones as files."""
