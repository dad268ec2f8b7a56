"""Adjudication by hand: the queue of pairs, the workspace of one, versions compared, own work against the gold."""
