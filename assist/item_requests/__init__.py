"""Items to be rated, which leads have a language model write."""
