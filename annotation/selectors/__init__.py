"""All shared reads, a module an entity. `source` (human or gold) has no default in any of them."""
