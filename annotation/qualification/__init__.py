"""The qualification: how far work agrees with a reference, what a project asks for, and who meets it."""
