# Runs before every job: finds what a job of this soak leaves behind, wherever it would lie.
import builtins, os, sys
_left = [name for name in ("soak", "_soak") if hasattr(builtins, name) or name in globals()]
_left += [name for name in sys.modules if name.startswith("soak")]
_left += [name for name in os.environ if name.startswith("SOAK")]
_left += os.listdir("/tmp")
if os.getcwd() != "/home/pyodide":
    _left.append(os.getcwd())
if _left:
    raise SystemError("left behind: " + repr(_left))
