"""Shared by the methods that use an encoder: loading, windows, batches, pooling, similarity to edges."""
