class _Group:
    """Arguments that stand together in the help."""

    def __init__(self, parser, title=None, description=None):
        self._parser, self.title, self.description, self._actions = parser, title, description, []

    def add_argument(self, *args, **kwargs):
        """Adds an option or an argument."""
        return self._parser._added(self, self._parser._made(*args, **kwargs))

    def add_mutually_exclusive_group(self, *, required=False):
        """Options of which one at most may be given."""
        return self._parser._exclusive_in(self, required)


class _Exclusive(_Group):
    """Options of which one at most may be given."""

    def __init__(self, parser, group, required):
        super().__init__(parser)
        self._group, self.required = group, required

    def add_argument(self, *args, **kwargs):
        action = self._parser._made(*args, **kwargs)
        if action.required:
            raise ValueError("mutually exclusive arguments must be optional")
        group = self._group or self._parser._group_for(action)
        self._actions.append(action)
        return self._parser._added(group, action)


class ArgumentParser:
    """Reads what a program is started with: `add_argument` says what there is, `parse_args` reads."""

    def __init__(
        self, prog=None, usage=None, description=None, epilog=None, parents=(), formatter_class=HelpFormatter, prefix_chars="-",
        fromfile_prefix_chars=None, argument_default=None, conflict_handler="error", add_help=True, allow_abbrev=True, exit_on_error=True,
    ):
        if fromfile_prefix_chars is not None:
            raise NotImplementedError("arguments are not read from files here: leave `fromfile_prefix_chars` out")
        self.prog = os.path.basename(sys.argv[0]) if prog is None else prog
        self.usage, self.description, self.epilog, self.formatter_class = usage, description, epilog, formatter_class
        self.prefix_chars, self.argument_default, self.conflict_handler = prefix_chars, argument_default, conflict_handler
        self.add_help, self.allow_abbrev, self.exit_on_error = add_help, allow_abbrev, exit_on_error
        self._actions, self._exclusive, self._options, self._defaults, self._commands = [], [], {}, {}, None
        self._positionals, self._optionals = _Group(self, "positional arguments"), _Group(self, "options")
        self._groups = [self._positionals, self._optionals]
        if add_help:
            mark = "-" if "-" in prefix_chars else prefix_chars[0]
            self.add_argument(mark + "h", mark * 2 + "help", action="help", default=SUPPRESS, help="show this help message and exit")
        for parent in parents:
            for group in parent._groups:
                into = next((own for own in self._groups if own.title == group.title), None)
                into = self.add_argument_group(group.title, group.description) if into is None else into
                for action in group._actions:
                    self._added(into, action)
            self._exclusive += parent._exclusive
            self._defaults.update(parent._defaults)

    def add_argument(self, *args, **kwargs):
        """Adds an option such as `"-n", "--count"`, or an argument by its name."""
        action = self._made(*args, **kwargs)
        return self._added(self._group_for(action), action)

    def _group_for(self, action):
        return self._optionals if action.option_strings else self._positionals

    def _made(self, *args, **kwargs):
        is_option = bool(args) and args[0][:1] in self.prefix_chars
        action = kwargs.pop("action", None)
        if not is_option:
            if len(args) > 1 or args and "dest" in kwargs:
                raise ValueError("dest supplied twice for positional argument" if "dest" in kwargs else f"invalid option string {args[0]!r}: must start with a character {self.prefix_chars!r}")
            dest, names = args[0] if args else kwargs.pop("dest"), []
            if "required" in kwargs:
                raise TypeError("'required' is an invalid argument for positionals")
            nargs = kwargs.get("nargs")
            if action not in ("version", "help", "count", "store_true", "store_false", "store_const", "append_const"):
                kwargs["required"] = nargs not in (OPTIONAL, ZERO_OR_MORE, REMAINDER, SUPPRESS) or nargs == ZERO_OR_MORE and "default" not in kwargs
        else:
            names = list(args)
            for name in names:
                if name[:1] not in self.prefix_chars:
                    raise ValueError(f"invalid option string {name!r}: must start with a character {self.prefix_chars!r}")
            dest = kwargs.pop("dest", None)
            if dest is None:
                long = [name for name in names if len(name) > 1 and name[1] in self.prefix_chars]
                dest = (long or names)[0].lstrip(self.prefix_chars).replace("-", "_")
                if dest == "":
                    raise ValueError(f"dest= is required for options like {names[0]!r}")
        if "default" not in kwargs:
            if dest in self._defaults:
                kwargs["default"] = self._defaults[dest]
            elif self.argument_default is not None:
                kwargs["default"] = self.argument_default
        if isinstance(action, str) or action is None:
            if action not in _ACTIONS:
                raise ValueError(f'unknown action "{action}"')
            action = _ACTIONS[action]
        made = action(names, dest, **kwargs) if action not in (_Help, _Version) else action(names, dest=dest, **kwargs)
        if made.type is not None and not callable(made.type):
            raise ValueError(f"{made.type!r} is not callable")
        return made

    def _added(self, group, action):
        for name in action.option_strings:
            if name in self._options:
                if self.conflict_handler != "resolve":
                    many = [name for name in action.option_strings if name in self._options]
                    words = "conflicting option string" + ("s" if len(many) > 1 else "")
                    raise ArgumentError(action, f"{words}: {', '.join(many)}")
                before = self._options[name]
                before.option_strings.remove(name)
                if not before.option_strings:
                    self._actions.remove(before)
                    for known in self._groups:
                        if before in known._actions:
                            known._actions.remove(before)
            self._options[name] = action
        self._actions.append(action)
        group._actions.append(action)
        return action

    def add_argument_group(self, title=None, description=None):
        """Arguments under a title of their own in the help."""
        group = _Group(self, title, description)
        self._groups.append(group)
        return group

    def _exclusive_in(self, group, required):
        made = _Exclusive(self, group, required)
        self._exclusive.append(made)
        return made

    def add_mutually_exclusive_group(self, *, required=False):
        """Options of which one at most may be given."""
        return self._exclusive_in(None, required)

    def add_subparsers(self, *, title=None, description=None, prog=None, parser_class=None, dest=SUPPRESS, required=False, help=None, metavar=None, action=None):
        """Commands: `add_parser` of what it gives makes the parser of each."""
        if self._commands is not None:
            self.error("cannot have multiple subparser arguments")
        group = self._positionals
        if title is not None or description is not None:
            group = self.add_argument_group("subcommands" if title is None else title, description)
        if prog is None:
            formatter = self.formatter_class(prog=self.prog)
            arguments = [action for action in self._actions if not action.option_strings]
            prog = " ".join([self.prog, *formatter._usage_parts(arguments, self._exclusive)])
        self._commands = _Commands([], prog, parser_class or type(self), dest, required, help, metavar)
        return self._added(group, self._commands)

    def set_defaults(self, **kwargs):
        """Values for what is not given."""
        self._defaults.update(kwargs)
        for action in self._actions:
            if action.dest in kwargs:
                action.default = kwargs[action.dest]

    def get_default(self, dest):
        """The value for what is not given."""
        for action in self._actions:
            if action.dest == dest and action.default is not None:
                return action.default
        return self._defaults.get(dest)

    def parse_args(self, args=None, namespace=None):
        """Reads a list of texts; without one what the program was started with."""
        found, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found

    def parse_known_args(self, args=None, namespace=None):
        """As `parse_args`, with a list of what it does not know."""
        args = list(sys.argv[1:] if args is None else args)
        namespace = Namespace() if namespace is None else namespace
        for action in self._actions:
            if action.dest is not SUPPRESS and action.default is not SUPPRESS and not hasattr(namespace, action.dest):
                setattr(namespace, action.dest, action.default)
        for dest, value in self._defaults.items():
            if not hasattr(namespace, dest):
                setattr(namespace, dest, value)
        if not self.exit_on_error:
            return self._read(args, namespace)
        try:
            return self._read(args, namespace)
        except ArgumentError as error:
            self.error(str(error))

    parse_intermixed_args, parse_known_intermixed_args = parse_args, parse_known_args

    def _option(self, text):
        """(action, name, argument) of a text that is an option; None for an argument."""
        if not text or text[0] not in self.prefix_chars or len(text) == 1:
            return None
        if text in self._options:
            return self._options[text], text, None
        name, equals, value = text.partition("=")
        if equals and name in self._options:
            return self._options[name], name, value
        is_long = text[1] in self.prefix_chars
        if is_long and self.allow_abbrev:
            fitting = [known for known in self._options if known.startswith(name)]
            if len(fitting) > 1:
                raise ArgumentError(None, f"ambiguous option: {text} could match {', '.join(fitting)}")
            if fitting:
                return self._options[fitting[0]], fitting[0], value if equals else None
        if not is_long and text[:2] in self._options:
            return self._options[text[:2]], text[:2], text[2:]
        if _is_negative(text) and not any(_is_negative(known) for known in self._options):
            return None
        return None if " " in text else (None, text, None)

    def _read(self, args, namespace):
        unknown, seen, given = [], [], set()
        waiting = [action for action in self._actions if not action.option_strings]
        end = args.index("--") if "--" in args else len(args)
        kinds = [self._option(text) if at < end else None for at, text in enumerate(args)]
        is_argument = [kind is None and at != end for at, kind in enumerate(kinds)]

        def take(action, values, name=None):
            seen.append(action)
            given.add(id(action))
            value = self._value(action, values)
            if value is not action.default or action.nargs == 0:
                for group in self._exclusive:
                    other = [one for one in group._actions if one is not action and id(one) in conflicting]
                    if action in group._actions and other:
                        raise ArgumentError(action, f"not allowed with argument {_name_of(other[0])}")
                conflicting.add(id(action))
            if value is not SUPPRESS:
                action(self, namespace, value, name)

        conflicting, at = set(), 0
        while at <= len(args):
            # As many arguments as fit what waits for some, up to the next option.
            stop = at
            while stop < len(args) and (is_argument[stop] or stop == end):
                stop += 1
            while waiting:
                texts = [text for place, text in enumerate(args[at:stop], at) if place != end]
                counts = _shares(waiting, len(texts))
                if any(action.nargs in (PARSER, REMAINDER) for action in waiting[:len(counts)]):
                    # It takes options as well.
                    stop = len(args)
                    texts = [text for place, text in enumerate(args[at:stop], at) if place != end]
                    counts = _shares(waiting, len(texts))
                if not counts:
                    break
                is_last = stop >= len(args)
                for action, count in zip(waiting[:len(counts)], counts):
                    if count == 0 and not is_last and not texts:
                        counts = []
                        break
                    take(action, texts[:count])
                    texts = texts[count:]
                    while count and at < stop:
                        count -= at != end
                        at += 1
                waiting = waiting[len(counts):]
                if not counts or not texts:
                    break
            unknown += [text for place, text in enumerate(args[at:stop], at) if place != end]
            if stop >= len(args):
                break
            action, name, value = kinds[stop]
            at = stop + 1
            if action is None:
                unknown.append(args[stop])
                continue
            # `-abc` stands for `-a -b -c` where these take nothing.
            while value is not None and action.nargs == 0 and name[:2] != name[:1] * 2 and len(name) == 2 and value:
                following = name[0] + value[0]
                if following not in self._options:
                    raise ArgumentError(action, f"ignored explicit argument {value!r}")
                take(action, [], name)
                action, name, value = self._options[following], following, value[1:] or None
            if value is not None:
                value = value[1:] if value[:1] == "=" and len(name) == 2 else value
                if action.nargs == 0 or isinstance(action.nargs, int) and action.nargs > 1:
                    words = f"ignored explicit argument {value!r}" if action.nargs == 0 else _expected(action)
                    raise ArgumentError(action, words)
                take(action, [value], name)
                continue
            stop = at
            while stop < len(args) and is_argument[stop]:
                stop += 1
            if action.nargs == REMAINDER:
                stop = len(args)
            counts = _shares([action], stop - at)
            if not counts:
                raise ArgumentError(action, _expected(action))
            take(action, args[at:at + counts[0]], name)
            at += counts[0]
        missing = [action for action in self._actions if id(action) not in given and action.required]
        if missing:
            self.error(f"the following arguments are required: {', '.join(_name_of(action) for action in missing)}")
        for action in self._actions:
            is_read = id(action) not in given and isinstance(action.default, str) and action.default is not SUPPRESS
            if is_read and getattr(namespace, action.dest, None) is action.default:
                setattr(namespace, action.dest, self._typed(action, action.default))
        for group in self._exclusive:
            if group.required and not any(id(action) in conflicting for action in group._actions):
                names = " ".join(_name_of(action) for action in group._actions if action.help is not SUPPRESS)
                self.error(f"one of the arguments {names} is required")
        unknown += namespace.__dict__.pop("_unrecognized_args", [])
        return namespace, unknown

    def _typed(self, action, text):
        kind = str if action.type is None else action.type
        try:
            return kind(text)
        except ArgumentTypeError as error:
            raise ArgumentError(action, str(error)) from None
        except (TypeError, ValueError):
            name = getattr(kind, "__name__", repr(kind))
            raise ArgumentError(action, f"invalid {name} value: {text!r}") from None

    def _chosen(self, action, value):
        if action.choices is not None and value not in action.choices:
            raise ArgumentError(action, f"invalid choice: {value!r} (choose from {', '.join(map(repr, action.choices))})")
        return value

    def _value(self, action, texts):
        nargs = action.nargs
        if nargs == OPTIONAL and not texts:
            value = action.const if action.option_strings else action.default
            return self._chosen(action, self._typed(action, value)) if isinstance(value, str) else value
        if nargs == ZERO_OR_MORE and not texts and not action.option_strings:
            return [] if action.default is None else action.default
        if nargs is None or nargs == OPTIONAL:
            return self._chosen(action, self._typed(action, texts[0]))
        values = [self._typed(action, text) for text in texts]
        if nargs == PARSER:
            self._chosen(action, values[0])
        elif nargs != REMAINDER:
            for value in values:
                self._chosen(action, value)
        return values

    def format_usage(self):
        """The lines of usage."""
        return self.formatter_class(prog=self.prog).usage(self)

    def format_help(self):
        """All of the help."""
        return self.formatter_class(prog=self.prog).help(self)

    def _print_message(self, message, file=None):
        if message:
            (sys.stderr if file is None else file).write(message)

    def print_usage(self, file=None):
        """Prints the usage."""
        self._print_message(self.format_usage(), sys.stdout if file is None else file)

    def print_help(self, file=None):
        """Prints the help."""
        self._print_message(self.format_help(), sys.stdout if file is None else file)

    def exit(self, status=0, message=None):
        """Leaves the program."""
        self._print_message(message, sys.stderr)
        sys.exit(status)

    def error(self, message):
        """Says what is wrong, and leaves with status 2."""
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: error: {message}\n")

    def __repr__(self):
        names = ("prog", "usage", "description", "formatter_class", "conflict_handler", "add_help")
        return f"ArgumentParser({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"


def _is_negative(text):
    body = text[1:]
    return text[:1] == "-" and body.replace(".", "", 1).isdigit() and not body.endswith(".")


def _expected(action):
    if isinstance(action.nargs, int):
        return f"expected {action.nargs} argument{'' if action.nargs == 1 else 's'}"
    return {None: "expected one argument", OPTIONAL: "expected at most one argument", ONE_OR_MORE: "expected at least one argument"}[action.nargs]


def _shares(actions, count):
    """How many texts each of the first actions takes, as many actions as have enough."""
    least = {None: 1, OPTIONAL: 0, ZERO_OR_MORE: 0, ONE_OR_MORE: 1, REMAINDER: 0, PARSER: 1}
    needs = [action.nargs if isinstance(action.nargs, int) else least[action.nargs] for action in actions]
    fitting = 0
    while fitting < len(actions) and sum(needs[:fitting + 1]) <= count:
        fitting += 1
    shares, left = needs[:fitting], count - sum(needs[:fitting])
    for at in range(fitting):
        nargs = actions[at].nargs
        more = left if nargs in (ZERO_OR_MORE, ONE_OR_MORE, REMAINDER, PARSER) else min(left, 1) if nargs == OPTIONAL else 0
        shares[at] += more
        left -= more
    return shares
