"""CodeTrail: compiler-exact definitions, references and callers of real code bases."""

__version__ = "0.1.0"
