"""One axis of a pair."""

from numpy import ndarray


class Axis:
    """What an axis measures, and from where to where."""

    def __init__(self):
        self._label, self._scale, self._ends, self._ticks = "", "linear", (None, None), None
        self._margin, self._is_turned, self._words = 0.05, False, []

    def _told(self, low=None, high=None):
        ticks = self._ticks
        if ticks is None and self._words:
            ticks = [(float(at), word) for at, word in enumerate(self._words)]
        ends = [own if own is not None else shared for own, shared in zip(self._ends, (low, high))]
        return (self._label, self._scale, ends[0], ends[1], self._margin, ticks, self._is_turned)

    def _places(self, words):
        for word in words:
            if word not in self._words:
                self._words.append(word)
        return array([self._words.index(word) for word in words])

    def _limit(self, low, high):
        if isinstance(low, (tuple, list, ndarray)) and high is None:
            low, high = low
        for end in (low, high):
            if end is not None and not isfinite(float(end)):
                raise ValueError("Axis limits cannot be NaN or Inf")
        if self._scale == "log" and any(end is not None and end <= 0 for end in (low, high)):
            raise ValueError("a log axis has positive limits only")
        old = self._ends
        self._ends = tuple(was if end is None else float(end) for was, end in zip(old, (low, high)))

    def _set_scale(self, value):
        if value not in ("linear", "log"):
            raise ValueError(f"{value!r} is not a valid value for scale; supported values are 'linear', 'log'")
        self._scale = value
        if value == "log":
            self._ends = tuple(None if end is not None and end <= 0 else end for end in self._ends)

    def _set_ticks(self, ticks, labels):
        places = [float(at) for at in ticks]
        if labels is None:
            labels = [f"{at:g}" for at in places]
        labels = [str(label) for label in labels]
        if len(labels) != len(places):
            raise ValueError(f"The number of tick locations ({len(places)}), does not match the number of labels ({len(labels)})")
        self._ticks = list(zip(places, labels))
