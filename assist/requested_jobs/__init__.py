"""What leads request and workers do, such as mining and comparing encoders: what all types of it share."""
