"""All shared reads, one module per entity. `source` (human or gold) has no default in any of them."""
