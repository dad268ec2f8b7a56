"""The API as a whole: every response agrees with its document, and every endpoint has an access test."""
