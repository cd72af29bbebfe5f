"""What a program is started with, read as options and arguments."""

import os
import sys
import textwrap

SUPPRESS = "==SUPPRESS=="
OPTIONAL, ZERO_OR_MORE, ONE_OR_MORE, REMAINDER, PARSER = "?", "*", "+", "...", "A..."


class ArgumentTypeError(Exception):
    """What a `type` function raises for a text that it can't read."""


class ArgumentError(Exception):
    """What is wrong with an argument."""

    def __init__(self, argument, message):
        self.argument_name = None if argument is None else _name_of(argument)
        self.message = message
        super().__init__(message)

    def __str__(self):
        return self.message if self.argument_name is None else f"argument {self.argument_name}: {self.message}"


def _name_of(action):
    if action.option_strings:
        return "/".join(action.option_strings)
    if action.metavar not in (None, SUPPRESS):
        return action.metavar if isinstance(action.metavar, str) else "/".join(action.metavar)
    if action.dest not in (None, SUPPRESS):
        return action.dest
    return "{" + ",".join(action.choices) + "}" if action.choices else None


class Namespace:
    """What was read, as attributes."""

    def __init__(self, /, **kwargs):
        self.__dict__.update(kwargs)

    def __eq__(self, other):
        return vars(self) == vars(other) if isinstance(other, Namespace) else NotImplemented

    def __contains__(self, key):
        return key in self.__dict__

    def __repr__(self):
        parts = []
        for name, value in self.__dict__.items():
            parts.append(f"{name}={value!r}" if name.isidentifier() else f"**{{{name!r}: {value!r}}}")
        return f"{type(self).__name__}({', '.join(parts)})"


class FileType:
    """A `type` that opens the file whose name is given; `-` stands for the program's own."""

    def __init__(self, mode="r", bufsize=-1, encoding=None, errors=None):
        self._mode, self._encoding, self._errors = mode, encoding, errors

    def __call__(self, string):
        if string == "-" and "w" in self._mode:
            return sys.stdout
        try:
            return open(string, self._mode, encoding=self._encoding, errors=self._errors)
        except OSError as error:
            raise ArgumentTypeError(f"can't open '{string}': {error}") from None


class Action:
    """An option or an argument, and what is done with it."""

    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None, choices=None, required=False, help=None, metavar=None):
        self.option_strings, self.dest, self.nargs, self.const, self.default = list(option_strings), dest, nargs, const, default
        self.type, self.choices, self.required, self.help, self.metavar = type, choices, required, help, metavar

    def __call__(self, parser, namespace, values, option_string=None):
        raise NotImplementedError("a class derived from Action must have __call__")

    def format_usage(self):
        return self.option_strings[0]


class _Store(Action):
    def __init__(self, option_strings, dest, nargs=None, const=None, **kwargs):
        if nargs == 0:
            raise ValueError(
                "nargs for store actions must be != 0; if you have nothing to store, actions such as store "
                "true or store const may be more appropriate"
            )
        if const is not None and nargs != OPTIONAL:
            raise ValueError("nargs must be '?' to supply const")
        super().__init__(option_strings, dest, nargs, const, **kwargs)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values)


class _StoreConst(Action):
    def __init__(self, option_strings, dest, const=None, default=None, required=False, help=None, metavar=None):
        super().__init__(option_strings, dest, 0, const, default, required=required, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, self.const)


class _StoreTrue(_StoreConst):
    def __init__(self, option_strings, dest, default=False, required=False, help=None):
        super().__init__(option_strings, dest, True, default, required, help)


class _StoreFalse(_StoreConst):
    def __init__(self, option_strings, dest, default=True, required=False, help=None):
        super().__init__(option_strings, dest, False, default, required, help)


class _Append(_Store):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, [*(getattr(namespace, self.dest, None) or []), values])


class _Extend(_Store):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, [*(getattr(namespace, self.dest, None) or []), *values])


class _AppendConst(_StoreConst):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, [*(getattr(namespace, self.dest, None) or []), self.const])


class _Count(Action):
    def __init__(self, option_strings, dest, default=None, required=False, help=None):
        super().__init__(option_strings, dest, 0, None, default, required=required, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, (getattr(namespace, self.dest, None) or 0) + 1)


class _Help(Action):
    def __init__(self, option_strings, dest=SUPPRESS, default=SUPPRESS, help=None):
        super().__init__(option_strings, dest, 0, None, default, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        parser.print_help()
        parser.exit()


class _Version(Action):
    def __init__(self, option_strings, version=None, dest=SUPPRESS, default=SUPPRESS, help="show program's version number and exit"):
        super().__init__(option_strings, dest, 0, None, default, help=help)
        self.version = version

    def __call__(self, parser, namespace, values, option_string=None):
        version = parser.version if self.version is None and hasattr(parser, "version") else self.version
        parser._print_message(version % {"prog": parser.prog} + "\n", sys.stdout)
        parser.exit()


class BooleanOptionalAction(Action):
    """`--flag` and `--no-flag`."""

    def __init__(self, option_strings, dest, default=None, type=None, choices=None, required=False, help=None, metavar=None):
        names = []
        for name in option_strings:
            names.append(name)
            if name.startswith("--"):
                names.append("--no-" + name[2:])
        super().__init__(names, dest, 0, None, default, type, choices, required, help, metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        if option_string in self.option_strings:
            setattr(namespace, self.dest, not option_string.startswith("--no-"))

    def format_usage(self):
        return " | ".join(self.option_strings)


class _Commands(Action):
    """Commands, each with a parser of its own."""

    def __init__(self, option_strings, prog, parser_class, dest=SUPPRESS, required=False, help=None, metavar=None):
        self._prog, self._class, self._parsers, self._shown = prog, parser_class, {}, []
        super().__init__(option_strings, dest, PARSER, choices=self._parsers, required=required, help=help, metavar=metavar)

    def add_parser(self, name, *, help=None, aliases=(), **kwargs):
        """The parser of one more command."""
        kwargs.setdefault("prog", f"{self._prog} {name}")
        parser = self._class(**kwargs)
        for known in (name, *aliases):
            if known in self._parsers:
                raise ArgumentError(self, f"conflicting subparser: {known}")
            self._parsers[known] = parser
        if help is not None:
            shown = f"{name} ({', '.join(aliases)})" if aliases else name
            self._shown.append(Action([], name, help=help, metavar=shown))
        return parser

    def __call__(self, parser, namespace, values, option_string=None):
        name, *rest = values
        if self.dest != SUPPRESS:
            setattr(namespace, self.dest, name)
        if name not in self._parsers:
            raise ArgumentError(self, f"unknown parser {name!r} (choices: {', '.join(self._parsers)})")
        found, unknown = self._parsers[name].parse_known_args(rest, None)
        for key, value in vars(found).items():
            setattr(namespace, key, value)
        if unknown:
            namespace.__dict__.setdefault("_unrecognized_args", []).extend(unknown)


_ACTIONS = {
    None: _Store, "store": _Store, "store_const": _StoreConst, "store_true": _StoreTrue, "store_false": _StoreFalse, "append": _Append,
    "append_const": _AppendConst, "extend": _Extend, "count": _Count, "help": _Help, "version": _Version, "parsers": _Commands,
}


def _metavars(action, default, count):
    if action.metavar is not None:
        result = action.metavar
    elif action.choices is not None:
        result = "{" + ",".join(str(choice) for choice in action.choices) + "}"
    else:
        result = default
    return result if isinstance(result, tuple) else (result,) * count


def _args_text(action, default):
    """How the arguments of an option, or an argument, are written."""
    nargs = action.nargs
    if nargs is None:
        return _metavars(action, default, 1)[0]
    if nargs == OPTIONAL:
        return f"[{_metavars(action, default, 1)[0]}]"
    if nargs == ZERO_OR_MORE:
        return f"[{_metavars(action, default, 1)[0]} ...]"
    if nargs == ONE_OR_MORE:
        names = _metavars(action, default, 2)
        return f"{names[0]} [{names[1]} ...]"
    if nargs == REMAINDER:
        return "..."
    if nargs == PARSER:
        return f"{_metavars(action, default, 1)[0]} ..."
    return " ".join(_metavars(action, default, nargs))


class HelpFormatter:
    """Writes usage and help."""

    def __init__(self, prog, indent_increment=2, max_help_position=24, width=None):
        columns = os.environ.get("COLUMNS", "")
        self._prog, self._indent = prog, indent_increment
        self._width = (int(columns) if columns.isdigit() and int(columns) else 80) - 2 if width is None else width
        self._max = min(max_help_position, max(self._width - 20, indent_increment * 2))

    def _filled(self, text, indent):
        words = " ".join(text.split())
        return textwrap.fill(words, max(self._width - len(indent), 11), initial_indent=indent, subsequent_indent=indent)

    def _lines(self, text, width):
        return textwrap.wrap(" ".join(text.split()), width)

    def _help(self, action):
        return action.help

    def _metavar(self, action):
        return action.dest.upper()

    def _metavar_of_argument(self, action):
        return action.dest

    def _invocation(self, action):
        if not action.option_strings:
            return _metavars(action, self._metavar_of_argument(action), 1)[0]
        if action.nargs == 0:
            return ", ".join(action.option_strings)
        args = _args_text(action, self._metavar(action))
        return ", ".join(f"{name} {args}" for name in action.option_strings)

    def _expanded(self, parser, action):
        values = {name: value for name, value in vars(action).items() if value is not SUPPRESS}
        values["prog"] = self._prog
        for name, value in values.items():
            if hasattr(value, "__name__"):
                values[name] = value.__name__
        if values.get("choices") is not None:
            values["choices"] = ", ".join(map(str, values["choices"]))
        return self._help(action) % values

    def _usage_parts(self, actions, groups):
        parts, at = [], 0
        while at < len(actions):
            group = next((group for group in groups if group._actions and actions[at:at + len(group._actions)] == group._actions), None)
            members = [actions[at]] if group is None else group._actions
            shown = [self._usage_part(action, group is not None) for action in members if action.help != SUPPRESS]
            if group is None:
                parts += shown
            elif shown:
                marks = "()" if group.required else "[]"
                joined = " | ".join(shown)
                parts.append(joined if len(shown) == 1 and group.required else marks[0] + joined + marks[1])
            at += len(members)
        return parts

    def _usage_part(self, action, is_in_group):
        if not action.option_strings:
            part = _args_text(action, self._metavar_of_argument(action))
            return part[1:-1] if is_in_group and part[:1] == "[" else part
        part = action.format_usage()
        if action.nargs != 0:
            part += " " + _args_text(action, self._metavar(action))
        return part if action.required or is_in_group else f"[{part}]"

    def usage(self, parser, prefix="usage: "):
        """The lines of usage."""
        if parser.usage is not None:
            return prefix + parser.usage % {"prog": self._prog} + "\n"
        options = [action for action in parser._actions if action.option_strings]
        rest = [action for action in parser._actions if not action.option_strings]
        option_parts, rest_parts = self._usage_parts(options, parser._exclusive), self._usage_parts(rest, parser._exclusive)
        text = " ".join([self._prog, *option_parts, *rest_parts])
        if len(prefix) + len(text) <= self._width:
            return f"{prefix}{text}\n"

        def lines(parts, indent, first=None):
            made, line = [], []
            size = (len(indent) if first is None else len(first)) - 1
            for part in parts:
                if size + 1 + len(part) > self._width and line:
                    made.append(indent + " ".join(line))
                    line, size = [], len(indent) - 1
                line.append(part)
                size += len(part) + 1
            if line:
                made.append(indent + " ".join(line))
            if first is not None:
                made[0] = made[0][len(indent):]
            return made

        if len(prefix) + len(self._prog) <= 0.75 * self._width:
            indent = " " * (len(prefix) + len(self._prog) + 1)
            if option_parts:
                made = lines([self._prog, *option_parts], indent, prefix) + lines(rest_parts, indent)
            else:
                made = lines([self._prog, *rest_parts], indent, prefix)
        else:
            indent = " " * len(prefix)
            made = lines([*option_parts, *rest_parts], indent)
            if len(made) > 1:
                made = lines(option_parts, indent) + lines(rest_parts, indent)
            made = [self._prog, *made]
        return prefix + "\n".join(made) + "\n"

    def help(self, parser):
        """All of a parser's help."""
        sections = [self.usage(parser)]
        if parser.description:
            sections.append(self._filled(parser.description % {"prog": self._prog}, "") + "\n")
        rows = []
        for group in parser._groups:
            for action in group._actions:
                if action.help != SUPPRESS:
                    rows += [(self._indent, action), *((2 * self._indent, shown) for shown in getattr(action, "_shown", []))]
        longest = max((indent + len(self._invocation(action)) for indent, action in rows), default=0)
        position = min(longest + 2, self._max)
        for group in parser._groups:
            body = ""
            if group.description:
                body = self._filled(group.description % {"prog": self._prog}, " " * self._indent) + "\n"
                body += "\n" if any(action.help != SUPPRESS for action in group._actions) else ""
            for action in group._actions:
                if action.help != SUPPRESS:
                    body += self._row(parser, action, self._indent, position)
                    for shown in getattr(action, "_shown", []):
                        body += self._row(parser, shown, 2 * self._indent, position)
            if body:
                sections.append((f"{group.title}:\n" if group.title not in (None, SUPPRESS) else "") + body)
        if parser.epilog:
            sections.append(self._filled(parser.epilog % {"prog": self._prog}, "") + "\n")
        return "\n".join(section.strip("\n") + "\n" for section in sections)

    def _row(self, parser, action, indent, position):
        head, width = " " * indent + self._invocation(action), position - indent - 2
        text = self._expanded(parser, action).strip() if action.help else ""
        if not text:
            return head + "\n"
        lines = self._lines(text, max(self._width - position, 11))
        begun = head.ljust(position) if len(head) - indent <= width else head + "\n" + " " * position
        return begun + ("\n" + " " * position).join(lines) + "\n"


class RawDescriptionHelpFormatter(HelpFormatter):
    """Leaves the lines of descriptions as they are."""

    def _filled(self, text, indent):
        return "".join(indent + line for line in text.splitlines(True))


class RawTextHelpFormatter(RawDescriptionHelpFormatter):
    """Leaves the lines of all texts as they are."""

    def _lines(self, text, width):
        return text.splitlines()


class ArgumentDefaultsHelpFormatter(HelpFormatter):
    """Adds defaults to the help."""

    def _help(self, action):
        text = action.help or ""
        takes = action.option_strings or action.nargs in (OPTIONAL, ZERO_OR_MORE)
        is_told = "%(default)" in text or action.default is SUPPRESS or not takes
        return text if is_told else text + " (default: %(default)s)"


class MetavarTypeHelpFormatter(HelpFormatter):
    """Names arguments by their types."""

    def _metavar(self, action):
        return action.type.__name__

    def _metavar_of_argument(self, action):
        return action.type.__name__
