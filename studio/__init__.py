"""The workshop beside the product: it simulates, films, trains and measures. `vision` never imports it."""
