"""The pages on which a lead has items made."""
