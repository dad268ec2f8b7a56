"""What the method `translate` and the pivot of encoders need: sequence-to-sequence models on this machine."""
