"""Mutants of a C++ source that clang-format has formatted: which tokens may be changed, and into what.

A tokenizer, no parser: it skips comments, strings, the preprocessor, templates' brackets, attributes and
static_assert. What it takes for an operator and is none does not compile, and so does not count.
"""

import dataclasses
import re

KINDS = ("comparison", "arithmetic", "constant", "negated condition", "removed call")
TOKEN = re.compile(r"""
      (?P<comment>//[^\n]*|/\*.*?\*/)
    | (?P<string>(?:u8|[uUL])?R"(?P<mark>[^()\s\\]*)\(.*?\)(?P=mark)"|(?:u8|[uUL])?"(?:\\.|[^"\\\n])*")
    | (?P<char>(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
    | (?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)
    | (?P<number>\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)
    | (?P<name>[A-Za-z_]\w*)
    | (?P<operator><=>|->\*|<<=|>>=|\.\.\.|::|->|\+\+|--|<=|>=|==|!=|&&|\|\||<<|>>|[-+*/%&|^]=|[^\s\w])
    """, re.S | re.M | re.X)
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*"}
ASSIGNMENTS = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "++": "--", "--": "++"}
PAIRS = {"(": ")", "[": "]", "{": "}"}
# No call begins with one of these, and no operand of a binary operator is one.
KEYWORDS = frozenset("""alignas assert auto break case catch class co_await co_return co_yield const constexpr continue
    default delete do else enum explicit extern for friend goto if inline namespace new noexcept operator private
    protected public requires return sizeof static static_assert static_cast struct switch template throw try
    typedef typename union using virtual void volatile while""".split())


@dataclasses.dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int
    end: int


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A change of `text[start:end]`; one of the lines has to be executed for it to matter."""
    kind: str
    start: int
    end: int
    replacement: str
    line: int
    lines: tuple
    column: int
    before: str
    after: str


def tokens_of(text):
    """All but comments and directives."""
    found = (Token(match.lastgroup if match.lastgroup != "mark" else "string", match.group(), match.start(),
                   match.end()) for match in TOKEN.finditer(text))
    return [token for token in found if token.kind not in ("comment", "directive")]


def closing(tokens, i):
    """Index of the bracket that closes the one at i, or the end."""
    depth = 0
    for j in range(i, len(tokens)):
        if tokens[j].kind == "operator":
            if tokens[j].text in PAIRS:
                depth += 1
            elif tokens[j].text in PAIRS.values():
                depth -= 1
                if depth == 0:
                    return j
    return len(tokens)


def closing_angle(tokens, i):
    """Index of the `>` that closes the template bracket at i, or the end."""
    depth = 0
    for j in range(i, len(tokens)):
        text = tokens[j].text
        depth += {"<": 1, ">": -1, ">>": -2}.get(text, 0) if tokens[j].kind == "operator" else 0
        if depth <= 0:
            return j
        if text in (";", "{", "}"):
            break
    return len(tokens)


def left_out(tokens):
    """Indices of tokens that are declarations of types and names, or checked by the compiler."""
    out = set()
    for i, token in enumerate(tokens):
        following = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if token.text == "static_assert" and following == "(":
            out.update(range(i, closing(tokens, i + 1)))
        elif token.text == "template" and following == "<":
            out.update(range(i, closing_angle(tokens, i + 1) + 1))
        elif token.text == "[" and following == "[" and tokens[i + 1].start == token.end:
            out.update(range(i, closing(tokens, i)))
        elif token.text == "operator":
            out.update((i, i + 1))
        elif token.text in ("using", "namespace", "typedef", "constexpr"):
            j = i
            while j < len(tokens) and tokens[j].text not in (";", "{", "("):
                j += 1
            out.update(range(i, j))
    return out


def changed_number(text):
    """An integer plus one, a floating-point number times two, or None where it is neither."""
    digits = text.replace("'", "")
    whole = re.fullmatch(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uUlLzZ]*)", digits)
    if whole:
        value = int(whole[1], 8 if re.fullmatch(r"0[0-7]+", whole[1]) else 0 if whole[1] != "0" else 10) + 1
        prefix = whole[1][:2].lower()
        return (hex(value) if prefix == "0x" else bin(value) if prefix == "0b" else
                oct(value).replace("o", "") if re.fullmatch(r"0[0-7]+", whole[1]) else str(value)) + whole[2]
    real = re.fullmatch(r"(\d*\.?\d*(?:[eE][+-]?\d+)?)([fFlL]?)", digits)
    if not real:
        return None
    value = float(real[1])
    return repr(value * 2 if value else 1.0) + real[2]


def call_ends(tokens, i):
    """Index of the `;` behind the statement at i if it is nothing but a call, or None."""
    if tokens[i].kind != "name" or tokens[i].text in KEYWORDS:
        return None
    i += 1
    last = ""
    while i < len(tokens):
        token = tokens[i]
        if token.text in ("::", ".", "->") and i + 1 < len(tokens) and tokens[i + 1].kind == "name":
            i += 2
        elif token.text in ("(", "["):
            i = closing(tokens, i) + 1
        elif token.text == "<" and token.start == tokens[i - 1].end:
            i = closing_angle(tokens, i) + 1
        elif token.text == ";" and last == "(":
            return i
        else:
            return None
        last = token.text
    return None


def begins_a_statement(tokens, i):
    previous = tokens[i - 1].text if i else ""
    if previous == ")":
        depth = 0
        for j in range(i - 1, -1, -1):
            depth += {")": 1, "(": -1}.get(tokens[j].text, 0)
            if depth == 0:
                return j > 0 and tokens[j - 1].text in ("if", "for", "while", "constexpr")
        return False
    return previous in (";", "{", "}", "else", "do")


def condition_of(tokens, i):
    """(first, last) token of the condition of the `if` or `while` at i; None where it declares or assigns."""
    if i + 1 >= len(tokens) or tokens[i + 1].text != "(":
        return None
    end = closing(tokens, i + 1)
    first, j = i + 2, i + 2
    while j < end:
        if tokens[j].text in PAIRS and tokens[j].kind == "operator":
            j = closing(tokens, j)
        elif tokens[j].text == ";":
            first = j + 1
        j += 1
    j = first
    while j < end:
        if tokens[j].text in PAIRS and tokens[j].kind == "operator":
            j = closing(tokens, j)
        elif tokens[j].text == "=":
            return None
        j += 1
    return (first, end - 1) if first < end else None


def one_line(text):
    return " ".join(text.split())


def mutants_of(text):
    """All mutants of a source, in order of place."""
    tokens = tokens_of(text)
    out = left_out(tokens)
    starts = [0] + [match.end() for match in re.finditer("\n", text)]
    found = []

    def line_of(place):
        low, high = 0, len(starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if starts[middle] <= place else (low, middle)
        return low + 1

    def add(kind, start, end, replacement, shown=None):
        first, last = line_of(start), line_of(end)
        lines = tuple(range(first, last + 1))
        if shown is None:
            line_start = starts[first - 1]
            line_end = text.find("\n", start) if "\n" in text[start:] else len(text)
            shown = (one_line(text[line_start:line_end]),
                     one_line(text[line_start:start] + replacement + text[end:line_end]))
        found.append(Mutant(kind, start, end, replacement, first, lines, start - starts[first - 1] + 1, *shown))

    for i, token in enumerate(tokens):
        if i in out:
            continue
        previous = tokens[i - 1] if i else None
        following = tokens[i + 1] if i + 1 < len(tokens) else None
        spaced = (previous and following and previous.end < token.start and token.end < following.start)
        if token.kind == "operator":
            operands = (previous and following
                        and (previous.kind in ("number", "char") or previous.text in (")", "]")
                             or previous.kind == "name" and previous.text not in KEYWORDS)
                        and following.kind != "string")
            if token.text in COMPARISONS and spaced:
                add("comparison", token.start, token.end, COMPARISONS[token.text])
            elif token.text in ARITHMETIC and spaced and operands:
                add("arithmetic", token.start, token.end, ARITHMETIC[token.text])
            elif token.text in ASSIGNMENTS and following and following.kind not in ("string", "char"):
                add("arithmetic", token.start, token.end, ASSIGNMENTS[token.text])
        elif token.kind == "number":
            in_brackets = (previous and previous.text == "<" and previous.end == token.start
                           or following and following.text == ">" and following.start == token.end)
            changed = changed_number(token.text)
            if changed is not None and not in_brackets:
                add("constant", token.start, token.end, changed)
        elif token.text in ("true", "false"):
            add("constant", token.start, token.end, "false" if token.text == "true" else "true")
        elif token.text in ("if", "while"):
            condition = condition_of(tokens, i)
            if condition:
                start, end = tokens[condition[0]].start, tokens[condition[1]].end
                inner = text[start:end]
                add("negated condition", start, end, f"!({inner})",
                    (f"{token.text} ({one_line(inner)})", f"{token.text} (!({one_line(inner)}))"))
        if token.kind == "name" and begins_a_statement(tokens, i):
            end = call_ends(tokens, i)
            if end is not None:
                call = text[token.start:tokens[end].start]
                add("removed call", token.start, tokens[end].start, "\n" * call.count("\n"),
                    (one_line(call) + ";", ";"))
    return sorted(found, key=lambda mutant: (mutant.start, mutant.end))


def mutated(text, mutant):
    return text[:mutant.start] + mutant.replacement + text[mutant.end:]
