"""Words and values: cards, chips, money, geometry, pictures, errors; sizes in millimetres."""
