"""What a cell shows beside its result."""

_shown = display


def display(*objs, include=None, exclude=None, metadata=None, transient=None, display_id=None, raw=False, clear=False):
    """Shows values as a cell's result is shown; with `clear`, in the place of what the cell has shown so far."""
    if display_id is not None or raw:
        raise NotImplementedError("display() takes no display_id and no raw data here: clear_output(wait=True) shows something in the place of the last")
    if clear:
        clear_output(wait=True)
    _shown(*objs)


def clear_output(wait=False):
    """Takes away what the cell has shown so far; with `wait`, when something new is shown."""
    clear_shown(bool(wait))


class DisplayObject:
    """Something that is shown as what it holds."""

    _suffixes = {}

    def __init__(self, data=None, url=None, filename=None, metadata=None):
        self.url, self.filename, self.metadata = url, filename, metadata
        if data is None and filename is not None:
            with open(filename) as file:
                data = file.read()
        self.data = data

    def __repr__(self):
        return f"<IPython.core.display.{type(self).__name__} object>"


class TextDisplayObject(DisplayObject):
    def __init__(self, data=None, url=None, filename=None, metadata=None):
        if data is not None and not isinstance(data, str):
            raise TypeError(f"{type(self).__name__} expects text, not {data!r}")
        super().__init__(data, url, filename, metadata)


class HTML(TextDisplayObject):
    """A page's text, or a part of one."""

    def _repr_html_(self):
        return self.data


class Markdown(TextDisplayObject):
    """Text with marks."""

    def _repr_markdown_(self):
        return self.data


class Latex(TextDisplayObject):
    """Text in LaTeX."""

    def _repr_latex_(self):
        return self.data


class Math(TextDisplayObject):
    """A formula in LaTeX."""

    def _repr_latex_(self):
        return "$\\displaystyle " + self.data.strip("$") + "$"


class SVG(TextDisplayObject):
    """A drawing."""

    def _repr_svg_(self):
        return self.data


class Image(DisplayObject):
    """A picture in a file, as PNG or JPEG, or somewhere on the net."""

    def __init__(self, data=None, url=None, filename=None, format=None, embed=None, width=None, height=None, retina=False, unconfined=False, metadata=None, alt=None):
        if isinstance(data, str) and filename is None and url is None:
            if data.startswith(("http://", "https://")):
                data, url = None, data
            else:
                data, filename = None, data
        if data is not None:
            raise TypeError("Image expects the name of a file or an address: there are no bytes here")
        if filename is None and url is None:
            raise ValueError("No image data found. Expecting filename, url, or data.")
        self.url, self.filename, self.metadata = url, filename, metadata
        self.width, self.height, self.alt = width, height, alt
        name = str(filename if filename is not None else url)
        self.format = (format or name.rpartition(".")[2]).lower().replace("jpg", "jpeg")
        if filename is not None:
            if self.format not in ("png", "jpeg"):
                raise ValueError(f"Cannot embed the '{self.format}' image format")
            data = picture_data(str(filename))
        self.data = data

    def _source(self):
        return self.url if self.data is None else f"data:image/{self.format};base64,{self.data}"

    def _repr_html_(self):
        if self.data is not None and self.width is None and self.height is None:
            return None
        sizes = [(name, getattr(self, name)) for name in ("width", "height")]
        sizes = "".join(f' {name}="{size}"' for name, size in sizes if size is not None)
        return f'<img src="{self._source()}"{sizes}/>'

    def _repr_png_(self):
        return self.data if self.format == "png" else None

    def _repr_jpeg_(self):
        return self.data if self.format == "jpeg" else None
