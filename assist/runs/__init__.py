"""Runs of pre-labelling methods: requested, worked on lot by lot, shown to leads."""
