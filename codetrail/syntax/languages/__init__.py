"""How to read each grammar but Python's, by the language pack's name for it; a module a language."""

from __future__ import annotations

from codetrail.syntax.languages.go import GO
from codetrail.syntax.languages.java import JAVA
from codetrail.syntax.languages.kotlin import KOTLIN
from codetrail.syntax.languages.rust import RUST
from codetrail.syntax.languages.script import JAVASCRIPT, TSX, TYPESCRIPT

OUTLINES = {
    "go": GO,
    "java": JAVA,
    "javascript": JAVASCRIPT,
    "kotlin": KOTLIN,
    "rust": RUST,
    "tsx": TSX,
    "typescript": TYPESCRIPT,
}
