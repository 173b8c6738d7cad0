"""What is written and sent: the records of files, store, bus and pages."""
