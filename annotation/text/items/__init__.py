"""The types of rating items: each says in its own module how a question of a scheme gets its choices."""
