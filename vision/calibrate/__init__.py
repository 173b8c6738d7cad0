"""Where things are: layouts of felts, cameras above them, and tables that join the two."""
