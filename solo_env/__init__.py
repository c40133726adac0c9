"""Solo Whist for reinforcement learning."""
