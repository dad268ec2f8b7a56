"""The shared parts of encoder methods: loading, windows, batches, pooling, similarity to edges. PURE."""
