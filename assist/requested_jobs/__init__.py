"""What leads request and workers do, such as mining and comparing encoders: what all kinds of it share."""
