"""What an adjudicator sees from whom the annotators' names are hidden."""
