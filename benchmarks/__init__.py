"""What the documentation says about speed, runnable: `python -m benchmarks.NAME`."""
