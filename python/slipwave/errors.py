"""What goes wrong, and what the library has to say beside that."""


class Error(Exception):
    """A complaint of the library or about arguments, one sentence: it names file, line, key, value and bound.

    code: the name of its status in slipwave/status.h, as "SW_ERR_INPUT"; of arguments that a function here refuses
    "SW_ERR_RANGE".
    """

    def __init__(self, message, code="SW_ERR_RANGE"):
        super().__init__(message)
        self.code = code


class InputError(Error):
    """A file or an argument that cannot be used."""

    def __init__(self, message):
        super().__init__(message, "SW_ERR_INPUT")


class Notice(UserWarning):
    """A warning of the library: an input that may not mean what it says. Notes go to the logger "slipwave"."""
