"""The demo: sample footage watched live, with the pages; and a tour of recorded rounds, settled and shown."""
