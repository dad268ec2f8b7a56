"""Forms of leads' pages. They only parse; services decide what is valid, and forms show their refusals."""
