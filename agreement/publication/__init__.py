"""Publishing: export, the dataset card, a project's publications, and reproduction of the published papers."""
