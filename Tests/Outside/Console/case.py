"""The cases: functions whose names say what must hold, with the browsers in which they can run."""

from browser import ALL, CHROMIUM

CASES = []
FEW = []


def case(function=None, *, browsers=ALL, few=False):
    """Keeps a case; `few` ones are part of every test run."""
    def keep(function):
        CASES.append((function.__name__.replace("_", " "), function, browsers))
        if few:
            FEW.append(function)
        return function
    return keep(function) if function else keep


def chromium(function=None, *, few=False):
    """A case that asks the browser what only Chromium answers."""
    return case(function, browsers=(CHROMIUM,), few=few)
