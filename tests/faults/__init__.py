"""Faults that really happen to a site: processes are killed, servers restarted, disks filled, clocks set back."""
