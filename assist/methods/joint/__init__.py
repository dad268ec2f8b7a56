"""Two texts read by an encoder as one input: rows, training examples, training and scoring."""
