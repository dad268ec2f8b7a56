"""One plugin of each kind: what CONTRIBUTING's recipes promise, a module and nothing else, is tested with these."""
