"""What adjudicators see if the annotators' names are hidden."""
