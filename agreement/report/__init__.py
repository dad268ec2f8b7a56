"""Agreement: figures, how they are rendered, the pages that show them, and the lists behind each number."""
