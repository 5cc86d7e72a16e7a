"""What a job can tell the system that runs it."""

import math
import os

__all__ = ["progress"]

_DEVICE = "/dev/pyrunr"


def progress(fraction):
    """Reports how much of the job is done, from 0.0 to 1.0."""
    fraction = float(fraction)
    if math.isnan(fraction) or not 0 <= fraction <= 1:
        raise ValueError(f"progress is {fraction}; it goes from 0.0 to 1.0")
    device = os.open(_DEVICE, os.O_WRONLY)
    try:
        os.write(device, b"progress %r\n" % fraction)
    finally:
        os.close(device)
