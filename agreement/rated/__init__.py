"""Items made by a language model, as people rated them: averages, agreement, and those that hold as files."""
