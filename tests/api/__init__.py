"""The API as a whole: what its document says holds for every answer, and every endpoint has an access test."""
