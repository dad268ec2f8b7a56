"""The pages of mining: articles sent, matches looked through, pairs imported."""
