"""Pyrunr's side of the interpreter: runs jobs, turns their values and errors into JSON.

The Java host calls two functions: ``bootstrap.prepare`` once, before the boot image is taken, and
``bootstrap.run`` for each job. A job can reach and change everything here. That is harmless: it can
only falsify its own result, and what it changed is gone when the interpreter is restored.
"""
