"""Players that need no training: by chance, by passing, and by the plain principles of the game.

Each decides from view records alone and is registered under a name that ``make_player`` knows:

    uniform   every legal action alike
    random    cards at random, calls by stated weights
    pass      never calls, plays its lowest card
    novice    counts tricks to call, and plays by the first principles of whist
    club      calls and plays by the rules of the literature, without counting cards
    expert    calls what is worth the most by measured tables, counts the cards and plays by what that tells
    ev-bidder plays as the expert does, and calls by a network
"""
