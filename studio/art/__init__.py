"""How things look: felts, card faces and backs, chips, hands, props. Drawn here, no download needed."""
