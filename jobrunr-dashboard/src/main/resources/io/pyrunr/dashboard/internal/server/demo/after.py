import os
import sys

{
    "len works": len([1, 2]) == 2,
    "sys.path is whole": bool(sys.path),
    "no variable left": "SECRET" not in os.environ,
    "no file left": not os.path.exists("/tmp/left-behind.txt"),
}
