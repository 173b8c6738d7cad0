"""Expressions of the wager files: 'points(banker) == 6 and len(banker) == 2'. Text enters, functions leave.

The language is the part of Python's that has no effects: names, numbers, texts, lists, comparisons, and/or/not, sums,
indexing, calls of words, `a if b else c` and `... for it in things if ...`. Names are checked when a file is read.
"""

import ast
import operator
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final, Protocol


class Scope(Protocol):
    """What names mean while one wager is settled: its inputs, the house's options, the file's own definitions."""

    def look_up(self, name: str) -> Any:
        """Return what a name means; raise Unknown where it was not seen."""
        ...

    def within(self, names: Mapping[str, Any]) -> "Scope":
        """Return a scope in which further names mean something."""
        ...


Compute = Callable[[Scope], Any]

COMPARE: Final[Mapping[type, Callable[[Any, Any], Any]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, things: item in things,
    ast.NotIn: lambda item, things: item not in things,
}
ARITHMETIC: Final[Mapping[type, Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


def compile_expression(text: str, names: Collection[str]) -> Compute:
    """Turn an expression into a function; a name that is not among `names` is an error."""
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError as error:
        raise ValueError(f"{text!r}: not an expression: {error.msg}") from error
    return _Compiler(text, frozenset(names)).compile(tree.body)


class _Compiler:
    """Compiles one expression; every kind of node has its method, any other is refused."""

    def __init__(self, text: str, names: frozenset[str]) -> None:
        self._text, self._names = text, names

    def compile(self, node: ast.AST) -> Compute:
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise ValueError(f"{self._text!r}: {ast.unparse(node)!r}: not a thing that a rule may say")
        compute: Compute = method(node)
        return compute

    def _all(self, nodes: list[ast.expr]) -> tuple[Compute, ...]:
        return tuple(self.compile(node) for node in nodes)

    def _constant(self, node: ast.Constant) -> Compute:
        value = node.value
        return lambda _: value

    def _name(self, node: ast.Name) -> Compute:
        name = node.id
        if name not in self._names:
            raise ValueError(f"{self._text!r}: {name!r}: no such input, option, word or definition")
        return lambda scope: scope.look_up(name)

    def _list(self, node: ast.List) -> Compute:
        items = self._all(node.elts)
        return lambda scope: tuple(item(scope) for item in items)

    _tuple = _list

    def _boolop(self, node: ast.BoolOp) -> Compute:
        *first, last = self._all(node.values)
        ends_on = isinstance(
            node.op, ast.Or
        )  # 'or' ends on the first part that holds, 'and' on the first that does not

        def decide(scope: Scope) -> Any:
            for part in first:
                value = part(scope)
                if bool(value) is ends_on:
                    return value
            return last(scope)

        return decide

    def _unaryop(self, node: ast.UnaryOp) -> Compute:
        part = self.compile(node.operand)
        if isinstance(node.op, ast.Not):
            return lambda scope: not part(scope)
        if isinstance(node.op, ast.USub):
            return lambda scope: -part(scope)
        raise ValueError(f"{self._text!r}: want 'not' or '-'")

    def _binop(self, node: ast.BinOp) -> Compute:
        apply = ARITHMETIC.get(type(node.op))
        if apply is None:
            raise ValueError(f"{self._text!r}: want '+', '-' or '*'")
        left, right = self.compile(node.left), self.compile(node.right)
        return lambda scope: apply(left(scope), right(scope))

    def _compare(self, node: ast.Compare) -> Compute:
        parts = self._all([node.left, *node.comparators])
        tests = [COMPARE.get(type(op)) for op in node.ops]

        def compare(scope: Scope) -> bool:
            left = parts[0](scope)
            for test, part in zip(tests, parts[1:], strict=True):
                right = part(scope)
                if test is None or not test(left, right):
                    return False
                left = right
            return True

        return compare

    def _call(self, node: ast.Call) -> Compute:
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise ValueError(f"{self._text!r}: want word(a, b)")
        word, arguments = self.compile(node.func), self._all(node.args)
        return lambda scope: word(scope)(*(argument(scope) for argument in arguments))

    def _ifexp(self, node: ast.IfExp) -> Compute:
        test, yes, no = self.compile(node.test), self.compile(node.body), self.compile(node.orelse)
        return lambda scope: yes(scope) if test(scope) else no(scope)

    def _subscript(self, node: ast.Subscript) -> Compute:
        whole, index = self.compile(node.value), self.compile(node.slice)
        return lambda scope: whole(scope)[index(scope)]

    def _slice(self, node: ast.Slice) -> Compute:
        low, high = (None if end is None else self.compile(end) for end in (node.lower, node.upper))
        return lambda scope: slice(low and low(scope), high and high(scope))

    def _generatorexp(self, node: ast.GeneratorExp) -> Compute:
        loop = node.generators[0]
        if len(node.generators) != 1 or not isinstance(loop.target, ast.Name):
            raise ValueError(f"{self._text!r}: want '... for it in things'")
        name, things = loop.target.id, self.compile(loop.iter)
        inner = _Compiler(self._text, self._names | {name})
        body, tests = inner.compile(node.elt), inner._all(loop.ifs)

        def each(scope: Scope) -> Iterator[Any]:
            for item in things(scope):
                within = scope.within({name: item})
                if all(test(within) for test in tests):
                    yield body(within)

        return each
