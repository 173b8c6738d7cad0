"""A table that can be filmed without a casino: rounds, faults, looks, footage, truth."""
