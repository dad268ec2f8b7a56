"""How good pre-labels are: highlights scored against the gold, and the page that shows it."""
