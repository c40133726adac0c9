"""Players that need no training: by chance, by passing, and by the plain principles of the game.

Each decides from view records alone and is registered under a name that ``make_player`` knows:

    uniform   every legal action alike
    random    cards at random, calls by stated weights
    pass      never calls, plays its lowest card
    novice    counts tricks to call, and plays by the first principles of whist
    club      plays by the rules of the literature, without counting
    expert    counts the cards, and plays every contract and role by what that tells
"""
