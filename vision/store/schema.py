"""The tables of the store: the log, which holds everything, and the index, which could be made again from it."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
)
from sqlalchemy.event import listens_for

SCHEMA: Final = MetaData()
VERSION: Final = 1  # of these tables, kept in the file

log: Final = Table(
    "log",
    SCHEMA,
    Column("table", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("t_ns", BigInteger, nullable=False),
    Column("wall_ns", BigInteger, nullable=False),
    Column("topic", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Index("log_by_topic", "table", "topic", "seq"),
)


@listens_for(log, "after_create")
def _never_edited(_: Table, connection: Connection, **__: object) -> None:
    for deed in ("UPDATE", "DELETE"):
        refusal = "BEGIN SELECT RAISE(ABORT, 'the log is never edited'); END"
        connection.exec_driver_sql(f"CREATE TRIGGER log_refuses_{deed} BEFORE {deed} ON log {refusal}")


IN_LOG: Final = (["table", "seq"], ["log.table", "log.seq"])

rounds: Final = Table(
    "rounds",
    SCHEMA,
    Column("row", Integer, primary_key=True),  # the order in which rounds began, over all tables
    Column("id", Text, nullable=False, unique=True),
    Column("table", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("first_seq", Integer, nullable=False),  # what was first told of it
    Column("seq", Integer),  # its record; none while it is played, or when it was broken off
    Column("verdict", Text),
    ForeignKeyConstraint(*IN_LOG),
    Index("rounds_by_table", "table", "number"),
)

alerts: Final = Table(
    "alerts",
    SCHEMA,
    Column("id", Text, primary_key=True),
    Column("table", Text, nullable=False),
    Column("first_seq", Integer, nullable=False),  # when it was last raised
    Column("seq", Integer, nullable=False),  # its latest state
    Column("round", Text, nullable=False),
    Column("code", Text, nullable=False),
    Column("state", Text, nullable=False),
    ForeignKeyConstraint(*IN_LOG),
    Index("alerts_by_round", "round"),
)

clips: Final = Table(
    "clips",
    SCHEMA,
    Column("alert", Text, primary_key=True),
    Column("table", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    ForeignKeyConstraint(*IN_LOG),
)

# ---- The work of the room: what people have to look at, and what they said of it. `Store.open` fills tables that an
# older store lacks from its log.

items: Final = Table(
    "items",  # what is open: an alert, or a round that could not be verified; the row goes with the review
    SCHEMA,
    Column("id", Text, primary_key=True),  # of the alert, or of the round
    Column("kind", Text, nullable=False),  # alert, unverifiable
    Column("table", Text, nullable=False),
    Column("round", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("rank", Integer, nullable=False),  # 0 is the gravest
    Column("cents", BigInteger),  # at stake; none while it is not known
    Column("is_certain", Boolean, nullable=False),  # the amount
    Column("wall_ns", BigInteger, nullable=False),  # since when it is open
    ForeignKeyConstraint(*IN_LOG),
    Index("items_by_round", "round"),
)

round_sums: Final = Table(
    "round_sums",  # of each round that has ended: what lists are searched by
    SCHEMA,
    Column("round", Text, primary_key=True),
    Column("wall_ns", BigInteger, nullable=False),  # when it ended
    Column("staked_cents", BigInteger, nullable=False),
    Column("wrong_cents", BigInteger, nullable=False),  # paid too much or too little, together
    Column("players", Integer, nullable=False),
    Index("round_sums_by_time", "wall_ns"),
)

acknowledgements: Final = Table(
    "acknowledgements",  # the latest of each alert
    SCHEMA,
    Column("alert", Text, primary_key=True),
    Column("table", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    ForeignKeyConstraint(*IN_LOG),
)

reviews: Final = Table(
    "reviews",
    SCHEMA,
    Column("table", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("round", Text, nullable=False),
    Column("alert", Text),  # none: the whole round
    Column("finding", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("dealer", Text),
    ForeignKeyConstraint(*IN_LOG),
    Index("reviews_by_round", "round", "seq"),
)

corrections: Final = Table(
    "corrections",
    SCHEMA,
    Column("table", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("round", Text, nullable=False),
    ForeignKeyConstraint(*IN_LOG),
    Index("corrections_by_round", "round", "seq"),
)

first_cards: Final = Table(
    "first_cards",  # when the first card of a round was dealt: until then the round before can be corrected
    SCHEMA,
    Column("round", Text, primary_key=True),
    Column("table", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("wall_ns", BigInteger, nullable=False),
    ForeignKeyConstraint(*IN_LOG),
    Index("first_cards_by_table", "table", "number"),
)

pits: Final = Table(
    "pits",  # where the tables stand
    SCHEMA,
    Column("table", Text, primary_key=True),
    Column("pit", Text, nullable=False),
)

holds: Final = Table(
    "holds",  # rounds whose evidence is kept for ever, in the folder of holds
    SCHEMA,
    Column("round", Text, primary_key=True),
    Column("case", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("wall_ns", BigInteger, nullable=False),
)

audit: Final = Table(
    "audit",  # who viewed, exported or changed what
    SCHEMA,
    Column("number", Integer, primary_key=True),
    Column("by", Text, nullable=False),
    Column("did", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("wall_ns", BigInteger, nullable=False),
)

# made again from the log
INDEXES: Final = (rounds, round_sums, alerts, clips, items, acknowledgements, reviews, corrections, first_cards)
