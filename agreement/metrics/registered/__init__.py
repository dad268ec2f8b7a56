"""The metrics that are one number: each module registers its own with `METRICS.register(Metric(…))`."""
