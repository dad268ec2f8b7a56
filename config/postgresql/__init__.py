"""The backend of PostgreSQL connections that are kept from one request to the next."""
