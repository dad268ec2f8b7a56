"""Which encoder to pick: evaluations of sentence embeddings, before a project is pre-labelled."""
