"""The pages on which encoders are compared: candidates named, their figures side by side."""
