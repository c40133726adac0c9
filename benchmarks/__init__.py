"""Measurements of speed, for people who choose an environment: ``python -m benchmarks``.

Nothing here is needed to play, train or test; nothing outside imports it. Importing the package imports nothing
else, so that the workers of :mod:`benchmarks.peers` run in an environment that has no NumPy of ours.
"""
