"""What an import names when it was not found."""

from __future__ import annotations

from pathlib import Path

from tests.providers import cleanliness
from tests.providers.python.driver_index import index_tree, write_tree


def test_a_missing_name_is_known_by_its_alias_alone(tmp_path: Path) -> None:
    files = {
        "gone.py": "from nowhere import Whole as Part, Same as Same, Plain\nPart, Same, Plain\n",
        "here.py": "from pack import missing as absent\nabsent\n",
        "pack/__init__.py": "from nowhere import deep as held\n",
        "chain.py": "from pack import held as kept\nkept\n",
    }
    write_tree(tmp_path / "work", files)
    run = index_tree(tmp_path / "work", tmp_path / "run")
    assert run.symbols_at("gone.py", "from", "Whole") == set()
    assert run.symbols_at("gone.py", "from", "Part") == {"gone/Part."}
    assert run.symbols_at("gone.py", "Part, Same, Plain", "Part") == {"gone/Part."}
    assert run.symbols_at("gone.py", "from", "Same") == set()
    assert run.symbols_at("gone.py", "from", "Same", 1) == {"gone/Same."}
    assert run.symbols_at("gone.py", "from", "Plain") == {"gone/Plain."}
    assert run.symbols_at("here.py", "from", "missing") == set()
    assert run.symbols_at("here.py", "from", "absent") == {"here/absent."}
    assert run.symbols_at("pack/__init__.py", "from", "deep") == set()
    assert run.symbols_at("chain.py", "from", "held") == {"pack/held."}
    assert run.symbols_at("chain.py", "from", "kept") == {"pack/held."}
    assert cleanliness.violations(run.index, run.text) == []
