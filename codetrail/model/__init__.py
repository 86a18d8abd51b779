"""What is true, as plain values: positions, symbols, facts, questions and answers.

Standard library only, and no input or output: a module here never opens a file or a database.
"""
