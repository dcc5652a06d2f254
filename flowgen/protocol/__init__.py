"""What to say and in which order, as generators that never act: eras, tours, plans, answers."""
