"""CPython's tree in the common form: what `syntax::dump` writes of ours."""
import ast
import struct


class Unsupported(Exception):
    pass


def text(value):
    plain = lambda c: " " <= c <= "~" and c not in '"\\'
    return '(str "%s")' % "".join(c if plain(c) else "\\u{%x}" % ord(c) for c in value)


def fstring(node):
    parts = []
    for value in node.values:
        if isinstance(value, ast.Constant):
            parts.append(text(value.value))
        else:
            conversion = "_" if value.conversion == -1 else chr(value.conversion)
            spec = "_" if value.format_spec is None else fstring(value.format_spec)
            parts.append(f"(field {expr(value.value)} {conversion} {spec})")
    return " ".join(["(fstring", *parts]) + ")"


def maybe(node):
    return expr(node) if node is not None else "_"


def comprehension(kind, elements, clauses):
    loops = []
    for clause in clauses:
        if clause.is_async:
            raise Unsupported("async")
        loops.append(several("for", [clause.target, clause.iter, *clause.ifs]))
    return " ".join([f"({kind}_of", *map(expr, elements), *loops]) + ")"


def parameters(args):
    plain = args.posonlyargs + args.args
    defaults = [None] * (len(plain) - len(args.defaults)) + args.defaults
    one = lambda arg, default: f"{arg.arg} {maybe(arg.annotation)} {maybe(default)}"
    every = [one(arg, default) for arg, default in zip(plain, defaults)]
    group = lambda head, shown: " ".join(["(" + head, *shown]) + ")"
    groups = [
        group("before_slash", every[:len(args.posonlyargs)]),
        group("positional", every[len(args.posonlyargs):]),
        group("star", [one(args.vararg, None)] if args.vararg else []),
        group("keyword_only", [one(arg, default) for arg, default in zip(args.kwonlyargs, args.kw_defaults)]),
        group("double_star", [one(args.kwarg, None)] if args.kwarg else []),
    ]
    return group("parameters", groups)


def several(head, nodes):
    return " ".join(["(" + head, *map(expr, nodes)]) + ")"


def expr(node):
    name = type(node).__name__
    if isinstance(node, ast.Constant):
        value = node.value
        if value is None:
            return "(none)"
        if value is ...:
            return "(ellipsis)"
        if isinstance(value, bool):
            return f"(bool {str(value).lower()})"
        if isinstance(value, int):
            return f"(int {value})"
        if isinstance(value, float):
            return "(float %s)" % struct.pack(">d", value).hex()
        if isinstance(value, complex):
            return "(imaginary %s)" % struct.pack(">d", value.imag).hex()
        if isinstance(value, str):
            return text(value)
        if isinstance(value, bytes):
            return "(bytes%s)" % "".join(f" {byte:02x}" for byte in value)
    elif isinstance(node, ast.JoinedStr):
        return fstring(node)
    elif isinstance(node, ast.Name):
        return f"(name {node.id})"
    elif isinstance(node, (ast.Tuple, ast.List)):
        return several(name.lower(), node.elts)
    elif isinstance(node, ast.Set):
        return several("set", node.elts)
    elif isinstance(node, ast.Dict):
        entries = [f"{expr(key) if key else '**'} {expr(value)}" for key, value in zip(node.keys, node.values)]
        return " ".join(["(dict", *entries]) + ")"
    elif isinstance(node, ast.NamedExpr):
        return f"(named {node.target.id} {expr(node.value)})"
    elif isinstance(node, ast.Lambda):
        return f"(lambda {parameters(node.args)} {expr(node.body)})"
    elif isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        kind = {"ListComp": "list", "SetComp": "set", "GeneratorExp": "generator"}[name]
        return comprehension(kind, [node.elt], node.generators)
    elif isinstance(node, ast.DictComp):
        return comprehension("dict", [node.key, node.value], node.generators)
    elif isinstance(node, ast.Yield):
        return f"(yield {maybe(node.value)})"
    elif isinstance(node, ast.YieldFrom):
        return f"(yield_from {expr(node.value)})"
    elif isinstance(node, ast.Starred):
        return f"(starred {expr(node.value)})"
    elif isinstance(node, ast.UnaryOp):
        return f"(unary {type(node.op).__name__} {expr(node.operand)})"
    elif isinstance(node, ast.BinOp):
        return f"(binary {type(node.op).__name__} {expr(node.left)} {expr(node.right)})"
    elif isinstance(node, ast.BoolOp):
        return several(f"logical {type(node.op).__name__}", node.values)
    elif isinstance(node, ast.Compare):
        links = [f" {type(op).__name__} {expr(x)}" for op, x in zip(node.ops, node.comparators)]
        return f"(compare {expr(node.left)}{''.join(links)})"
    elif isinstance(node, ast.IfExp):
        return several("conditional", [node.test, node.body, node.orelse])
    elif isinstance(node, ast.Attribute):
        return f"(attribute {expr(node.value)} {node.attr})"
    elif isinstance(node, ast.Call):
        # CPython keeps positional and keyword arguments apart; their places give the order back.
        args = [(x.lineno, x.col_offset, expr(x)) for x in node.args]
        args += [(x.lineno, x.col_offset, keyword(x)) for x in node.keywords]
        return " ".join(["(call", expr(node.func), *(shown for _, _, shown in sorted(args))]) + ")"
    elif isinstance(node, ast.Subscript):
        return f"(subscript {expr(node.value)} {expr(node.slice)})"
    elif isinstance(node, ast.Slice):
        bounds = [expr(x) if x else "_" for x in (node.lower, node.upper, node.step)]
        return "(slice %s)" % " ".join(bounds)
    raise Unsupported(name)


def keyword(node):
    return f"(keyword {node.arg} {expr(node.value)})" if node.arg else f"(double_starred {expr(node.value)})"


def aliases(names):
    return "".join(f" {x.name} {x.asname or '_'}" if x.name != "*" else " *" for x in names)


def block(nodes):
    return " ".join(["(block", *map(stmt, nodes)]) + ")"


def stmt(node):
    kind = type(node)
    if kind is ast.Expr:
        return f"(expr {expr(node.value)})"
    if kind is ast.Assign:
        return several("assign", [*node.targets, node.value])
    if kind is ast.AugAssign:
        op = type(node.op).__name__
        return f"(augassign {op} {expr(node.target)} {expr(node.value)})"
    if kind is ast.AnnAssign:
        return f"(annassign {expr(node.target)} {expr(node.annotation)} {maybe(node.value)})"
    if kind is ast.Delete:
        return several("del", node.targets)
    if kind in (ast.Pass, ast.Break, ast.Continue):
        return f"({kind.__name__.lower()})"
    if kind is ast.Return:
        return f"(return {maybe(node.value)})"
    if kind is ast.Raise:
        return f"(raise {maybe(node.exc)} {maybe(node.cause)})"
    if kind is ast.Assert:
        return f"(assert {expr(node.test)} {maybe(node.msg)})"
    if kind in (ast.Global, ast.Nonlocal):
        return " ".join(["(" + kind.__name__.lower(), *node.names]) + ")"
    if kind is ast.Import:
        return f"(import{aliases(node.names)})"
    if kind is ast.ImportFrom and node.level == 0:
        return f"(import_from {node.module}{aliases(node.names)})"
    if kind is ast.If:
        return f"(if {expr(node.test)} {block(node.body)} {block(node.orelse)})"
    if kind is ast.While:
        return f"(while {expr(node.test)} {block(node.body)} {block(node.orelse)})"
    if kind is ast.For:
        head = f"(for {expr(node.target)} {expr(node.iter)}"
        return f"{head} {block(node.body)} {block(node.orelse)})"
    if kind is ast.With:
        items = [f"{expr(item.context_expr)} {maybe(item.optional_vars)}" for item in node.items]
        return " ".join(["(with", *items, block(node.body)]) + ")"
    if kind in (ast.Try, ast.TryStar):
        handlers = [f"(except {maybe(x.type)} {x.name or '_'} {block(x.body)})" for x in node.handlers]
        head = "(try_star" if kind is ast.TryStar else "(try"
        return " ".join([head, block(node.body), *handlers, block(node.orelse), block(node.finalbody)]) + ")"
    if kind is ast.FunctionDef:
        decorators = several("decorators", node.decorator_list)
        head = f"(def {node.name} {decorators} {parameters(node.args)} {maybe(node.returns)}"
        return f"{head} {block(node.body)})"
    if kind is ast.ClassDef:
        bases = [(x.lineno, x.col_offset, expr(x)) for x in node.bases]
        bases += [(x.lineno, x.col_offset, keyword(x)) for x in node.keywords]
        bases = " ".join(["(bases", *(shown for _, _, shown in sorted(bases))]) + ")"
        return f"(class {node.name} {several('decorators', node.decorator_list)} {bases} {block(node.body)})"
    raise Unsupported(kind.__name__)


def cpython(program):
    """The tree in the common form, None if CPython refuses, and its message."""
    try:
        tree = ast.parse(program)
        # Some rules (two stars in one target, a repeated keyword) are the compiler's.
        compile(program, "<program>", "exec")
        return "".join(stmt(node) + "\n" for node in tree.body), None
    except Unsupported as error:
        return None, f"unsupported {error}"
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return None, str(error)
