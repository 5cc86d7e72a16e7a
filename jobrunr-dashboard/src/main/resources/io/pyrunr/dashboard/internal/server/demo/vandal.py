import builtins
import os
import sys

builtins.len = lambda things: 42
sys.path.clear()
os.environ["SECRET"] = "left behind"
with open("/tmp/left-behind.txt", "w") as file:
    file.write("anyone there?")
print("len([]) is now", len([]))
