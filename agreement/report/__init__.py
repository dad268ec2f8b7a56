"""Agreement: figures, their rendering, the pages that show them, and the lists behind each number."""
