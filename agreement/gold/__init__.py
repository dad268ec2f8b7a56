"""Gold: rules compared and applied, manual adjudication, versions, an annotator's own work beside them."""
