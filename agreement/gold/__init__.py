"""Gold: comparing and applying rules, manual adjudication, versions, an annotator's own work compared with them."""
