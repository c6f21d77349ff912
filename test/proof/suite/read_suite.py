"""Reads the suites of a checkout of AgentDojo and prints them as JSON, running none of its code.

usage: read_suite.py <folder>, with {suite: {part: state}} on standard input (the environments,
which are YAML). Ground truths are evaluated by a small interpreter of Python's own syntax trees: it
knows the few builtins and methods named below, and follows functions and classes of the checkout.
What it cannot evaluate is listed with the reason. Standard library only.
"""

import ast
import json
import re
import sys
from pathlib import Path

BUILTINS = {
    f.__name__: f
    for f in (abs, all, any, bool, dict, enumerate, float, int, len, list, max, min, range, reversed, round, set)
    + (sorted, str, sum, tuple, zip)
}
METHODS = {
    str: "capitalize count endswith format join lower replace split startswith strip title upper".split(),
    list: "append count extend index".split(),
    dict: "get items keys pop values".split(),
    set: "add".split(),
}
PACKAGE = "agentdojo."
OPERATORS = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
    ast.Is: lambda a, b: a is b,
    ast.IsNot: lambda a, b: a is not b,
}


class Unreadable(Exception):
    """A construct that the interpreter does not know."""


class Returned(Exception):
    def __init__(self, value):
        self.value = value


class Module:
    """A file: its top-level definitions by name, evaluated when they are asked for."""

    def __init__(self, path):
        self.nodes, self.values = {}, {}
        self.tree = ast.parse(path.read_text("utf8"))
        for node in self.tree.body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                self.nodes[node.name] = node
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    self.nodes[alias.asname or alias.name] = (node, alias.name)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.nodes[node.targets[0].id] = node.value


class Class:
    def __init__(self, node, module):
        self.node, self.module, self.values = node, module, {}

    def member(self, name):
        for node in self.node.body:
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return node
            if isinstance(node, ast.Assign) and node.targets[0].id == name:
                return node.value
            if isinstance(node, ast.AnnAssign) and node.target.id == name and node.value is not None:
                return node.value
        return None

    def is_of(self, base):
        return any(base in ast.unparse(each) for each in self.node.bases)


class Object:
    def __init__(self, cls, fields):
        self.cls, self.fields = cls, fields


class Function:
    def __init__(self, node, module, owner=None, scope=None):
        self.node, self.module, self.owner, self.scope = node, module, owner, scope or {}


class Reader:
    def __init__(self, root):
        self.root, self.modules = root, {}

    def module(self, dotted):
        if dotted not in self.modules:
            self.modules[dotted] = Module(self.root.joinpath(*dotted.split(".")).with_suffix(".py"))
        return self.modules[dotted]

    def global_(self, module, name):
        """The value of a name at the top level of a file."""
        if name in module.values:
            return module.values[name]
        node = module.nodes.get(name)
        if node is None:
            if name not in BUILTINS:
                raise Unreadable(f"it uses the name {name}")
            return BUILTINS[name]
        if isinstance(node, tuple):
            statement, original = node
            source = getattr(statement, "module", None) or ""
            if not source.startswith(PACKAGE):
                raise Unreadable(f"it uses the name {name}")
            value = self.global_(self.module(source), original)
        elif isinstance(node, ast.ClassDef):
            value = Class(node, module)
        elif isinstance(node, ast.FunctionDef):
            value = Function(node, module)
        else:
            value = self.eval(node, module, {})
        module.values[name] = value
        return value

    # Values of the environment, as objects of the classes that are declared for them.

    def wrap(self, value, annotation, module):
        if isinstance(annotation, ast.BinOp):
            return self.wrap(value, annotation.left, module)
        if isinstance(annotation, ast.Subscript) and isinstance(annotation.value, ast.Name):
            inner = annotation.slice
            if annotation.value.id == "list" and isinstance(value, list):
                return [self.wrap(each, inner, module) for each in value]
            if annotation.value.id == "dict" and isinstance(value, dict) and isinstance(inner, ast.Tuple):
                return {key: self.wrap(each, inner.elts[1], module) for key, each in value.items()}
        if isinstance(annotation, ast.Name) and annotation.id == "float" and isinstance(value, int):
            return float(value)
        if isinstance(annotation, ast.Name) and isinstance(value, dict):
            try:
                found = self.global_(module, annotation.id)
            except Unreadable:
                return value
            return self.create(found, value) if isinstance(found, Class) else value
        return value

    def create(self, cls, given):
        made = Object(cls, dict(given))
        for node in cls.node.body:
            if isinstance(node, ast.AnnAssign) and node.target.id in given:
                made.fields[node.target.id] = self.wrap(given[node.target.id], node.annotation, cls.module)
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                made.fields[node.target.id] = self.default(node.value, cls.module)
        for node in cls.node.body:
            if isinstance(node, ast.FunctionDef) and "model_validator" in "".join(map(ast.unparse, node.decorator_list)):
                self.call(Function(node, cls.module, made), [], {})
        return made

    def default(self, node, module):
        if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "Field"):
            return self.eval(node, module, {})
        for keyword in node.keywords:
            if keyword.arg == "default":
                return self.eval(keyword.value, module, {})
            if keyword.arg == "default_factory":
                return self.eval(keyword.value, module, {})()
        return None

    # Statements and expressions.

    def call(self, function, args, keywords):
        if not isinstance(function, Function):
            if isinstance(function, Class):
                return self.create(function, keywords)
            return function(*args, **keywords)
        node = function.node
        names = [each.arg for each in node.args.args]
        values = ([function.owner] if function.owner is not None else []) + list(args)
        scope = {**function.scope, **dict(zip(names, values)), **keywords}
        for name, default in zip(reversed(names), reversed(node.args.defaults)):
            if name not in scope:
                scope[name] = self.eval(default, function.module, {})
        if isinstance(node, ast.Lambda):
            return self.eval(node.body, function.module, scope)
        try:
            self.run(node.body, function.module, scope)
        except Returned as done:
            return done.value
        return None

    def run(self, body, module, scope):
        for node in body:
            if isinstance(node, ast.Return):
                raise Returned(None if node.value is None else self.eval(node.value, module, scope))
            if isinstance(node, ast.Assign):
                self.assign(node.targets[0], self.eval(node.value, module, scope), module, scope)
            elif isinstance(node, ast.AugAssign):
                before = self.eval(ast.parse(ast.unparse(node.target), mode="eval").body, module, scope)
                after = OPERATORS[type(node.op)](before, self.eval(node.value, module, scope))
                self.assign(node.target, after, module, scope)
            elif isinstance(node, ast.For):
                for each in self.eval(node.iter, module, scope):
                    self.assign(node.target, each, module, scope)
                    try:
                        self.run(node.body, module, scope)
                    except StopIteration:
                        continue
            elif isinstance(node, ast.Continue):
                raise StopIteration
            elif isinstance(node, ast.If):
                self.run(node.body if self.eval(node.test, module, scope) else node.orelse, module, scope)
            elif isinstance(node, ast.Expr):
                self.eval(node.value, module, scope)
            else:
                raise Unreadable(f"it uses {type(node).__name__}")

    def assign(self, target, value, module, scope):
        if isinstance(target, ast.Name):
            scope[target.id] = value
        elif isinstance(target, ast.Tuple):
            for each, part in zip(target.elts, value):
                self.assign(each, part, module, scope)
        elif isinstance(target, ast.Attribute):
            self.eval(target.value, module, scope).fields[target.attr] = value
        else:
            raise Unreadable(f"it assigns to {ast.unparse(target)}")

    def attribute(self, value, name):
        if isinstance(value, Object) and name in value.fields:
            return value.fields[name]
        if isinstance(value, (Object, Class)):
            cls = value.cls if isinstance(value, Object) else value
            node = cls.member(name)
            if isinstance(node, ast.FunctionDef):
                function = Function(node, cls.module, value if isinstance(value, Object) else None)
                isProperty = any(ast.unparse(each) == "property" for each in node.decorator_list)
                return self.call(function, [], {}) if isProperty else function
            if node is not None:
                # Members of a class may name those before them.
                return self.eval(node, cls.module, ClassScope(self, cls))
        if isinstance(value, str) and name == "isoformat":
            # A date of the YAML comes as the text that stands there.
            return lambda: value
        for kind, names in METHODS.items():
            if isinstance(value, kind) and name in names:
                return getattr(value, name)
        raise Unreadable(f"it asks a {type(value).__name__} for {name}")

    def each_of(self, nodes, module, scope):
        values = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                values += self.eval(node.value, module, scope)
            else:
                values.append(self.eval(node, module, scope))
        return values

    def comprehend(self, node, module, scope, at=0):
        """The scopes in which the element of a comprehension is evaluated."""
        if at == len(node.generators):
            yield scope
            return
        generator = node.generators[at]
        for each in self.eval(generator.iter, module, scope):
            inner = Layer(scope)
            self.assign(generator.target, each, module, inner)
            if all(self.eval(test, module, inner) for test in generator.ifs):
                yield from self.comprehend(node, module, inner, at + 1)

    def eval(self, node, module, scope):
        def go(each):
            return self.eval(each, module, scope)

        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return scope[node.id] if node.id in scope else self.global_(module, node.id)
        if isinstance(node, ast.Attribute):
            return self.attribute(go(node.value), node.attr)
        if isinstance(node, ast.Subscript):
            return go(node.value)[go(node.slice)]
        if isinstance(node, ast.Slice):
            return slice(*(None if each is None else go(each) for each in (node.lower, node.upper, node.step)))
        if isinstance(node, ast.List):
            return self.each_of(node.elts, module, scope)
        if isinstance(node, ast.Tuple):
            return tuple(self.each_of(node.elts, module, scope))
        if isinstance(node, ast.Set):
            return set(self.each_of(node.elts, module, scope))
        if isinstance(node, ast.Dict):
            return {go(key): go(value) for key, value in zip(node.keys, node.values)}
        if isinstance(node, ast.JoinedStr):
            return "".join(go(each) for each in node.values)
        if isinstance(node, ast.FormattedValue):
            spec = "" if node.format_spec is None else go(node.format_spec)
            return format(go(node.value), spec)
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](go(node.left), go(node.right))
        if isinstance(node, ast.BoolOp):
            for each in node.values:
                value = go(each)
                if bool(value) == isinstance(node.op, ast.Or):
                    return value
            return value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
            return not go(node.operand) if isinstance(node.op, ast.Not) else -go(node.operand)
        if isinstance(node, ast.Compare):
            values = [go(node.left), *map(go, node.comparators)]
            return all(OPERATORS[type(op)](a, b) for op, a, b in zip(node.ops, values, values[1:]))
        if isinstance(node, ast.IfExp):
            return go(node.body if go(node.test) else node.orelse)
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            return [self.eval(node.elt, module, each) for each in self.comprehend(node, module, scope)]
        if isinstance(node, ast.SetComp):
            return {self.eval(node.elt, module, each) for each in self.comprehend(node, module, scope)}
        if isinstance(node, ast.DictComp):
            inner = self.comprehend(node, module, scope)
            return {self.eval(node.key, module, each): self.eval(node.value, module, each) for each in inner}
        if isinstance(node, ast.Lambda):
            function = Function(node, module, None, scope)
            return lambda *args: self.call(function, args, {})
        if isinstance(node, ast.Call):
            keywords = {each.arg: go(each.value) for each in node.keywords}
            if ast.unparse(node.func) == "FunctionCall":
                return {"tool": keywords["function"], "args": keywords["args"]}
            return self.call(go(node.func), self.each_of(node.args, module, scope), keywords)
        raise Unreadable(f"it uses {type(node).__name__}")


class Layer(dict):
    """A scope over another one."""

    def __init__(self, below):
        super().__init__()
        self.below = below

    def __contains__(self, name):
        return super().__contains__(name) or name in self.below

    def __missing__(self, name):
        return self.below[name]


class ClassScope(dict):
    """The names of a class body."""

    def __init__(self, reader, cls):
        super().__init__()
        self.reader, self.cls = reader, cls

    def __contains__(self, name):
        return self.cls.member(name) is not None

    def __missing__(self, name):
        return self.reader.attribute(self.cls, name)


def version_of(folder):
    return (*map(int, folder[1:].split("_")), 0, 0)[:3]


def plain(value):
    """As JSON has it; anything else is not readable."""
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    raise Unreadable("an argument is not plain")


class Suite:
    """One suite: its tasks and injections in their newest versions, and its tools."""

    def __init__(self, reader, name, folders, state):
        self.reader, self.name = reader, name
        self.entries = {"UserTask": {}, "InjectionTask": {}}
        self.unreadable = []
        base = reader.module(f"agentdojo.default_suites.v1.{name}.task_suite")
        environment = next(n for n in base.nodes.values() if isinstance(n, ast.ClassDef) and n.name.endswith("Environment"))
        self.environment = reader.create(Class(environment, base), state)
        self.base = base
        for folder in folders:
            for kind in ("user_tasks", "injection_tasks"):
                if reader.root.joinpath("agentdojo", "default_suites", folder, name, f"{kind}.py").exists():
                    self.take(folder, reader.module(f"agentdojo.default_suites.{folder}.{name}.{kind}"))

    def put(self, kind, number, version, entry):
        versions = self.entries[kind].setdefault(number, {})
        versions[version] = entry

    def newest(self, kind, number):
        versions = self.entries[kind][number]
        return versions[max(versions)]

    def take(self, folder, module):
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef) and node.decorator_list:
                kind, number = re.match(r"(UserTask|InjectionTask)(\d+)", node.name).groups()
                isUpdate = "update_" in ast.unparse(node.decorator_list[0])
                made = Object(Class(node, module), {})
                self.put(kind, int(number), version_of(folder) if isUpdate else (1, 0, 0), (made,))
            elif isinstance(node, ast.Expr) and "_combined_task" in ast.unparse(node.value):
                text = ast.unparse(node.value)
                number = int(re.match(r"UserTask(\d+)", node.value.args[0].value).group(1))
                parts = [self.newest("UserTask", int(each)) for each in re.findall(r"user_task_(\d+)", text)]
                prompt = [each.value.value for each in node.value.keywords if each.arg == "prompt"]
                version = version_of(folder) if "update_" in text else (1, 0, 0)
                self.put("UserTask", number, version, (*parts[0], *parts[1], *prompt))

    def read(self, kind, number):
        entry = self.newest(kind, number)
        tasks = [each for each in entry if isinstance(each, Object)]
        given = [each for each in entry if isinstance(each, str)]
        texts = given or [self.reader.attribute(each, "PROMPT" if kind == "UserTask" else "GOAL") for each in tasks]
        calls = []
        for task in tasks:
            calls += self.reader.call(self.reader.attribute(task, "ground_truth"), [self.environment], {})
        says = self.words_of(tasks[0]) if kind == "InjectionTask" and not calls else ""
        if not calls and not says:
            raise Unreadable("its ground truth names no call")
        found = {"text": " ".join(texts), "calls": [plain(each) for each in calls]}
        return {**found, "says": says} if says else found

    def words_of(self, task):
        """What an injection wants in the answer, if it wants no call."""
        node = task.cls.member("GROUND_TRUTH_OUTPUT")
        return "" if node is None else self.reader.attribute(task, "GROUND_TRUTH_OUTPUT")

    def all(self, kind, prefix):
        rows = []
        for number in sorted(self.entries[kind]):
            name = f"{self.name} {prefix} {number}"
            try:
                rows.append({"id": name, **self.read(kind, number)})
            except Exception as error:  # The reason is all that is needed of it.
                self.unreadable.append({"id": name, "reason": str(error) or type(error).__name__})
        return rows

    def tool(self, name):
        statement, original = self.base.nodes[name]
        module = self.reader.module(statement.module)
        node = module.nodes[original]
        about = re.split(r"(?<=\.)\s|\n", (ast.get_docstring(node) or "").strip())[0]
        parts, parameters = [], []
        defaults = len(node.args.args) - len(node.args.defaults)
        for at, each in enumerate(node.args.args):
            annotation = each.annotation
            if isinstance(annotation, ast.Name) and isinstance(module.nodes.get(annotation.id), ast.Subscript):
                annotation = module.nodes[annotation.id]
            found = re.search(r"Depends\('(\w+)'\)", ast.unparse(annotation))
            if found:
                parts.append(found.group(1))
            else:
                default = plain(self.reader.eval(node.args.defaults[at - defaults], module, {})) if at >= defaults else None
                parameters.append({"name": each.arg, "type": ast.unparse(annotation), "default": default})
        room = statement.module.rsplit(".", 1)[1]
        return {"name": name, "room": room, "about": about, "parts": parts, "parameters": parameters}

    def as_json(self):
        tools = [each.id for each in self.base.nodes["TOOLS"].elts]
        return {
            "name": self.name,
            "tasks": self.all("UserTask", "task"),
            "injections": self.all("InjectionTask", "injection"),
            "tools": [self.tool(each) for each in tools],
            "unreadable": self.unreadable,
        }


def main():
    root = Path(sys.argv[1], "src")
    states = json.load(sys.stdin)
    reader = Reader(root)
    folders = sorted((each.name for each in root.glob("agentdojo/default_suites/v*")), key=version_of)
    attacks = reader.module("agentdojo.attacks.important_instructions_attacks")
    names = reader.module("agentdojo.attacks.base_attacks")
    attack = reader.attribute(reader.global_(attacks, "ImportantInstructionsAttack"), "_JB_STRING").format(
        goal="{goal}",
        user=reader.global_(names, "DEFAULT_USER_NAME"),
        model=reader.global_(names, "DEFAULT_MODEL_NAME"),
    )
    suites = [Suite(reader, name, folders, state).as_json() for name, state in states.items()]
    files = ["/".join(["src", *name.split(".")]) + ".py" for name in reader.modules]
    json.dump({"attack": attack, "suites": suites, "files": files}, sys.stdout)


main()
