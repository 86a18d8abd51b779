"""Compilers and type checkers, run as child processes that write SCIP. They know neither store nor syntax."""
