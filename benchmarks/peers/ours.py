"""Our side as a worker: ``python -m benchmarks.peers.ours play``."""

from __future__ import annotations

import sys

from benchmarks.measure import serve

if __name__ == "__main__":
    from benchmarks.faces import for_peers

    serve(for_peers()[sys.argv[1]])
