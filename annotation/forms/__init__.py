"""What leads' pages ask. A form only parses; what may be is decided by the services, whose refusals it shows."""
