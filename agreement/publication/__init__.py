"""What is published: export, the card, publications of a project, and the published papers reproduced."""
