import sys
import time

print("alive:", sys.version)
time.strftime("%H:%M:%S")
