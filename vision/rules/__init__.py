"""The rule book: games as data, and the two questions asked of them. Is this event allowed now? What is each spot due?

In the order of the data: `text` is the form of a game file, `hands` what cards are worth, `book` the games and
houses, `due` what a round owes, `play` what may happen when, `odds` the texts' own figures recomputed.
"""
