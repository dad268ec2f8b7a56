"""What the methods over an encoder share: loading, windows, batches, pooling, similarity to edges. PURE."""
