"""Pictures: functions that return matplotlib's Axes, and one that saves them. Needs matplotlib.

Nothing of matplotlib's own settings is changed; `matplotlib.rcParams.update(slipwave.plot.STYLE)` is the look of Slipwave's
documents.
"""

from .curves import COMPONENTS, stress_strain
from .figures import COLOURS, DASHES, STYLE, label_log_axis, save
from .maps import colour_key, inverse_pole_figure, label_bar, odf_section, pole_figure

__all__ = ["COLOURS", "COMPONENTS", "DASHES", "STYLE", "colour_key", "inverse_pole_figure", "label_bar", "label_log_axis",
           "odf_section", "pole_figure", "save", "stress_strain"]
