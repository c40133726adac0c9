"""Solo Whist for reinforcement learning.

Importing any part of it registers ``SoloWhist-v0`` with Gymnasium, which has no other way for a package to offer an
environment to ``gymnasium.make``. What is registered are names: the environment is imported when it is made.
"""

import gymnasium

if "SoloWhist-v0" not in gymnasium.registry:
    gymnasium.register(
        "SoloWhist-v0",
        entry_point="solo_env.seat_env:SeatEnv",
        vector_entry_point="solo_env.seat_vector:SeatVectorEnv",
    )
