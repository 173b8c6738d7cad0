"""Feltwatch: reads cards and chips on a casino table and says what was not played or paid by the rules."""
