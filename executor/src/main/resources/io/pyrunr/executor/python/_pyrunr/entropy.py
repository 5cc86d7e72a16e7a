"""Where generators of random numbers keep their state.

An image fixes what was seeded when it was taken, so that every job would draw the same numbers. The
host writes to the places found here before each job instead; it never has to run Python for that.
"""

import gc
import random
import sys

# CPython's RandomObject: an object header of 8 bytes, an index of 4, 624 words.
_HEADER = 12
_WORDS = 4 * 624


def states():
    """Address and size in bytes of each state there is, as text: ``address:size`` and spaces."""
    found = {id(random._inst) + _HEADER: _WORDS}
    numpy = sys.modules.get("numpy.random")
    for thing in gc.get_objects():
        if isinstance(thing, random.Random) and not isinstance(thing, random.SystemRandom):
            found[id(thing) + _HEADER] = _WORDS
    if numpy is not None:
        # The one behind numpy.random's functions; its state begins with the same 624 words.
        generator = numpy.mtrand._rand._bit_generator
        if isinstance(generator, numpy.MT19937):
            found[generator.ctypes.state_address] = _WORDS
    return " ".join(f"{address}:{size}" for address, size in sorted(found.items()))
