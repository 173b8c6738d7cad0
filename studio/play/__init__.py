"""What happens: players and a dealer who play by the rule book, their mistakes, and the truth about both."""
