"""Gold: rules compared and applied, pairs adjudicated by hand, versions, own work beside them."""
