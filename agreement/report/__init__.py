"""How far people agree: figures, how they are said, the pages that show them, and the lists behind each number."""
