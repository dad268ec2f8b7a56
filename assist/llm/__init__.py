"""What language models are asked, within what limits and at what price."""
