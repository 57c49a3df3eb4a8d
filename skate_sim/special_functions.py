"""Compiled functions of ``scipy.special``, loaded without the rest of that package."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType


def _special_functions() -> ModuleType:
    """The compiled functions of ``scipy.special``.

    To import that package takes a tenth of a second, in which it writes down which other libraries of arrays have them.
    The functions are in one compiled module of it; where a version of SciPy has no such module, the package is used.
    """
    name = "scipy.special"
    spec = None if name in sys.modules else importlib.util.find_spec(name)
    if spec is None:
        return importlib.import_module(name)
    sys.modules[name] = importlib.util.module_from_spec(spec)  # tells where its modules are
    try:
        return importlib.import_module(f"{name}._ufuncs")
    except ImportError:
        pass
    finally:
        del sys.modules[name]
    return importlib.import_module(name)


_special = _special_functions()
bdtr, ndtr, ndtri = _special.bdtr, _special.ndtr, _special.ndtri
rel_entr, stdtrit = _special.rel_entr, _special.stdtrit
