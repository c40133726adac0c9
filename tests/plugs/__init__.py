"""What other toolkits get, and what they give back."""
