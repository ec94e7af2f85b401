"""Writes declarations for the compiler: of requests, of functions that do the same by hand, and of a protocol that
does nothing.

No two are alike: the names and types of their properties and responses differ, as a linker and an optimizer
merge what is equal. Each has two path values and three query values."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PATH_TYPES = ["String", "Int", "UUID"]
QUERY_TYPES = ["String", "Int", "String?", "Int?", "Bool", "Double", "UUID", "[Int]", "Date?", "[String]"]
PATH_NAMES = "owner team repository issue label branch commit release asset gist member project".split()
QUERY_NAMES = "text page state since order labels size cursor filter sort limit kind author".split()
MODELS = "User Team Repository Issue Label Branch Commit Release Asset Gist".split()
# What a call passes for a property, where `n` and `id` are its function's parameters.
VALUES = {
    "String": '"a b"', "Int": "n", "String?": "nil", "Int?": "n", "Bool": "true", "Double": "0.5", "UUID": "id",
    "[Int]": "[n]", "Date?": "nil", "[String]": '["a"]',
}

HEAD = """import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ServerEnvironment {
    static let production = ServerEnvironment(baseUrl: URL(string: "https://api.example.com")!)
    static let staging = ServerEnvironment(baseUrl: URL(string: "https://staging.example.com")!)
}
struct ServerError: Error, Decodable { let message: String }
@inline(never) @_optimize(none) func keep<Value>(_ value: Value) {}
""" + "".join(f"struct {model}: Decodable, Sendable {{ let id: Int; let name: String }}\n" for model in MODELS)


class Shape:
    """The properties and the response of the declaration with a number."""

    def __init__(self, number, texts_only=False):
        n = self.number = number
        self.path = [(f"{PATH_NAMES[n % 12]}{n}", PATH_TYPES[n % 3]), (PATH_NAMES[(n + 5) % 12], PATH_TYPES[n // 3 % 3])]
        self.query = [
            (QUERY_NAMES[(n * 3 + i) % 13], QUERY_TYPES[(n * (i + 1) + i * 3 + n // 10) % 10]) for i in range(3)]
        if texts_only:
            self.path, self.query = ([(name, "String") for name, _ in part] for part in (self.path, self.query))
        model = MODELS[n % 10]
        self.response = [model, f"[{model}]", f"{model}?"][n // 10 % 3]

    @property
    def endpoint(self):
        (first, _), (second, _) = self.path
        query = ", ".join(f'.query("{name}", path: \\.{name})' for name, _ in self.query)
        return f"""
    static let endpoint = Endpoint<Get{self.number}>(
        method: .get, path: "things{self.number}/\\(path: \\.{first})/\\(path: \\.{second})/end",
        parameters: [{query}])
    typealias Response = {self.response}
    typealias ErrorResponse = ServerError
}}
"""


def stored(properties):
    return "; ".join(f"let {name}: {type}" for name, type in properties)


def passed(properties):
    return ", ".join(f"{name}: {VALUES[type]}" for name, type in properties)


def flat(shape):
    """A request whose values are its own properties."""
    return f"struct Get{shape.number}: FlatRequest {{\n    {stored(shape.path + shape.query)}" + shape.endpoint


def nested(shape):
    """A request with a struct for the values of each part."""
    return (f"struct Get{shape.number}: RequestType {{\n"
            f"    struct PathComponents {{ {stored(shape.path)} }}\n"
            f"    struct Parameters {{ {stored(shape.query)} }}\n"
            "    let pathComponents: PathComponents\n    let parameters: Parameters" + shape.endpoint)


def plain(shape):
    """A struct with the same properties that conforms to a protocol that does nothing."""
    return f"struct Get{shape.number}: Plain {{ {stored(shape.path + shape.query)} }}\n"


def by_hand(shape):
    """A function that makes the same URLRequest, as people write it."""
    parameters = ", ".join(f"{name}: {type}" for name, type in shape.path + shape.query)
    (first, _), (second, _) = shape.path

    def item(name, type):
        if type.startswith("["):
            return f'URLQueryItem(name: "{name}", value: {name}.map {{ "\\($0)" }}.joined(separator: ","))'
        text = name if type == "String" else f'"\\({name})"'
        if type.endswith("?"):
            text = f'{name}.map {{ "\\($0)" }}'
        return f'URLQueryItem(name: "{name}", value: {text})'

    return f"""func get{shape.number}({parameters}) -> URLRequest {{
    var components = URLComponents(url: ServerEnvironment.production.baseUrl, resolvingAgainstBaseURL: false)!
    components.path += "/things{shape.number}/\\({first})/\\({second})/end"
    components.queryItems = [
        {", ".join(item(*parameter) for parameter in shape.query)}
    ]
    return URLRequest(url: components.url!)
}}
"""


def by_hand_with_load(shape):
    """The same function, if it loads the request as well and decodes the response or the error."""
    load = f"""    let (data, response) = try await URLSession.shared.data(for: URLRequest(url: components.url!))
    guard let response = response as? HTTPURLResponse else {{ throw URLError(.badServerResponse) }}
    guard (200..<300).contains(response.statusCode) else {{
        throw try JSONDecoder().decode(ServerError.self, from: data)
    }}
    return try JSONDecoder().decode({shape.response}.self, from: data)
"""
    return by_hand(shape).replace("-> URLRequest", f"async throws -> {shape.response}").replace(
        "    return URLRequest(url: components.url!)\n", load)


def value(shape, form):
    """The call that makes a value of a declaration."""
    if form is nested:
        return f"Get{shape.number}(pathComponents: .init({passed(shape.path)}), parameters: .init({passed(shape.query)}))"
    name = "get" if form is by_hand else "Get"
    return f"{name}{shape.number}({passed(shape.path + shape.query)})"


# The ways to use a request; the last three are for forms without one.
WAYS = {
    "async": "async throws {{ keep(try await URLSession.shared.response(in: {server}, with: {request})) }}",
    "callback": "throws {{ try URLSession.shared.endpointTask(in: {server}, with: {request}) {{ keep($0) }}.resume() }}",
    "urlRequest": "throws {{ keep(try {request}.urlRequest(in: {server})) }}",
    "value": "{{ keep({request}) }}",
    "plain": "{{ use({request}) }}",
}


def call(shape, form, way):
    """A function that makes a value of a declaration and uses it in a way."""
    body = WAYS[way].format(server=".production", request=value(shape, form))
    return f"public func {way.lower()}{shape.number}(_ n: Int, _ id: UUID) {body}\n"


def further_call(shape, way, server):
    """A function that uses a value that it is given."""
    body = WAYS[way].format(server=f".{server}", request="request")
    return f"public func {way.lower()}{server.capitalize()}{shape.number}(_ request: Get{shape.number}) {body}\n"


def module(form, numbers, way=None, texts_only=False):
    """A file of declarations with one call each; without calls if there is no way."""
    shapes = [Shape(number, texts_only) for number in numbers]
    calls = "".join(call(shape, form, way) for shape in shapes) if way else ""
    head = HEAD.replace("import Endpoints", "import Plain") if form is plain else HEAD
    head = re.sub(r"extension ServerEnvironment \{.*?\n\}\n", "", head, flags=re.S) if form is plain else head
    return head + "".join(form(shape) for shape in shapes) + calls


def plain_protocol():
    """The module of a protocol with as many requirements as RequestType, of which a type needs to write none."""
    source = next((ROOT / "Sources/Endpoints").rglob("RequestType.swift")).read_text()
    body = source[source.index("public protocol RequestType"):].split("\n}\n")[0]
    types = re.findall(r"^    associatedtype \w+(:?)", body, re.M)
    members = re.findall(r"^    (?:static )?(?:var|func) ", body, re.M)
    requirements = [f"associatedtype A{i}{': Some' if colon else ''} = Nothing" for i, colon in enumerate(types)]
    requirements += [f"static func f{i}() -> Int" for i in range(len(members))]
    defaults = [f"@inline(never) public static func f{i}() -> Int {{ {i} }}" for i in range(len(members))]
    return f"""public protocol Some {{}}
public struct Nothing: Some {{}}
public protocol Plain: SendableMetatype {{
    {"; ".join(requirements)}
}}
extension Plain {{
    {"; ".join(defaults)}
}}
@inline(never) @_optimize(none) public func use<Value: Plain>(_ value: Value) {{}}
"""
