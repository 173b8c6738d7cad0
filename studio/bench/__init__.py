"""Speed, measured in one run beside what one would use instead."""
