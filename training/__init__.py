"""Training by self-play: cloning a fixed player, then proximal policy optimisation over whole deals."""
