"""All writes of adjudication, a module an entity."""
