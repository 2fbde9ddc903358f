"""Estimators with more parameters than the one that they are made of."""

import inspect
from typing import Any


def init_with(plain: Any, **more: Any) -> Any:
    """The `__init__` of an estimator with more parameters, given with their defaults, as
    scikit-learn wants it."""

    def __init__(self, *args, **parameters):
        own = {name: parameters.pop(name, default) for name, default in more.items()}
        plain.__init__(self, *args, **parameters)
        for name, value in own.items():
            setattr(self, name, value)

    signature = inspect.signature(plain.__init__)
    new = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
        for name, default in more.items()
    ]
    init: Any = __init__
    init.__signature__ = signature.replace(parameters=[*signature.parameters.values(), *new])
    return init
