"""Face readers: printed cards enter, the networks that read them and their numbers leave."""
