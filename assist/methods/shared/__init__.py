"""What several methods use: spans proposed from scores, gold as arrays, how words look, function words, ranges."""
