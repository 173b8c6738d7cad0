"""What cards are worth: patterns they contain, and rankings that order them."""
