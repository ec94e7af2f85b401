import Endpoints
import EndpointsTesting
import Foundation
import Testing

@Suite struct UnreadPropertyTests {
    struct User: Encodable, Sendable { var name = "" }

    struct CreateUser: FlatRequest {
        var user = User()
        static let endpoint = Endpoint<Self>(method: .post, path: "users")
        typealias Response = Void
    }

    struct GetUser: FlatRequest {
        var id = 1
        var locale = "de"
        static let endpoint = Endpoint<Self>(method: .get, path: "users/\(path: \.id)")
        typealias Response = Void
    }

    struct OtherNames: FlatRequest {
        var headers = ["X": "y"]
        var queryItems = [URLQueryItem]()
        var errorResponseDecoder = JSONDecoder()
        static let endpoint = Endpoint<Self>(method: .get, path: "users")
        typealias Response = Void
    }

    struct Nested: RequestType {
        struct PathComponents { var id = 1, other = 2 }
        var pathComponents = PathComponents()
        var user = User()
        var body = User()
        static let endpoint = Endpoint<Self>(method: .put, path: "users/\(path: \.id)")
        typealias Response = Void
    }

    struct OwnDecoder: FlatRequest {
        var responseDecoder = JSONDecoder()
        static let endpoint = Endpoint<Self>(method: .get, path: "users")
        typealias Response = [Int]
    }

    final class Base: FlatRequest {
        let id = 1
        let unused = 2
        static let endpoint = Endpoint<Base>(method: .get, path: "\(path: \.id)")
        typealias Response = Void
    }

    private static let elsewhere = """
        is not sent, as no path, parameter, declared header or body reads it; add it to the \
        endpoint, or remove it. If a hook such as prepare(_:) or commonHeaders reads it, check \
        the request with `problems(except: \\.
        """

    struct MaybePolicy: FlatRequest {
        var loadPolicy: LoadPolicy? = LoadPolicy(timeLimit: 5)
        static let endpoint = Endpoint<Self>(method: .get, path: "users")
        typealias Response = Void
    }

    struct NearHooks: FlatRequest {
        typealias BodyEncoder = JSONEncoder
        var loadPolicy = 5
        var commonLoadPolicy: LoadPolicy?
        var bodyEncoder: JSONEncoder?
        static let endpoint = Endpoint<Self>(method: .get, path: "users")
        typealias Response = Void
    }

    struct NearHeaders: FlatRequest {
        typealias CommonHeaders = NoValues
        typealias Body = EmptyResponse
        var commonHeaders: [String: String]? = ["X": "y"]
        var body = User()
        static let endpoint = Endpoint<Self>(method: .post, path: "users")
        typealias Response = Void
    }

    struct NearValues: RequestType {
        typealias Parameters = Void
        typealias PathComponents = Void
        typealias HeaderValues = Void
        var parameters = ["page": 2]
        var pathComponents = 1
        var headerValues = "a"
        static let endpoint = Endpoint<Self>(method: .get, path: "users")
        typealias Response = Void
    }

    /// The problem of a property that has a hook's name and another type.
    private static func near(_ request: String, _ name: String, _ type: String, _ hook: String)
        -> String
    {
        """
        \(request): the property "\(name)" is ignored, as it is of type \(type), and \(name) must \
        be of type \(hook); change its type, or rename it
        """
    }

    static let unread: [(request: any RequestType & Sendable, problems: [String])] = [
        (
            CreateUser(),
            [
                """
                CreateUser: the property "user" is not sent, as no path, parameter, declared header \
                or body reads it; if it is the body, call it `body`; if not, add it to the endpoint \
                or remove it. If a hook such as prepare(_:) or commonHeaders reads it, check \
                the request with `problems(except: \\.user)`
                """
            ]
        ),
        (GetUser(), ["GetUser: the property \"locale\" \(elsewhere)locale)`"]),
        (
            OtherNames(),
            ["headers", "queryItems", "errorResponseDecoder"].map {
                "OtherNames: the property \"\($0)\" \(elsewhere)\($0))`"
            }
        ),
        (
            Nested(),
            ["user", "pathComponents.other"].map {
                "Nested: the property \"\($0)\" \(elsewhere)\($0))`"
            }
        ),
        (MaybePolicy(), [near("MaybePolicy", "loadPolicy", "Optional<LoadPolicy>", "LoadPolicy")]),
        (
            NearHooks(),
            [
                near("NearHooks", "loadPolicy", "Int", "LoadPolicy"),
                near("NearHooks", "commonLoadPolicy", "Optional<LoadPolicy>", "LoadPolicy"),
                near("NearHooks", "bodyEncoder", "Optional<JSONEncoder>", "JSONEncoder"),
            ]
        ),
        (
            NearHeaders(),
            [
                near(
                    "NearHeaders", "commonHeaders", "Optional<Dictionary<String, String>>",
                    "NoValues"),
                near("NearHeaders", "body", "User", "EmptyResponse"),
            ]
        ),
        (
            NearValues(),
            [
                near("NearValues", "parameters", "Dictionary<String, Int>", "()"),
                near("NearValues", "pathComponents", "Int", "()"),
                near("NearValues", "headerValues", "String", "()"),
            ]
        ),
        (
            OwnDecoder(),
            [
                """
                OwnDecoder: the property "responseDecoder" is ignored, as a response is decoded \
                without its request; make it static
                """
            ]
        ),
    ]

    @Test("A stored property that is not sent is a problem of the request", arguments: unread)
    func listed(_ request: any RequestType & Sendable, _ problems: [String]) {
        #expect(request.problems.map(\.description) == problems)
    }

    @Test("A class's property that is not sent is a problem, too")
    func ofClass() {
        #expect(Base().problems.map(\.field) == [.property("unused")])
    }

    final class OwnEncoder: JSONEncoder, @unchecked Sendable {}

    struct Hooked: FlatRequest {
        var loadPolicy = LoadPolicy(timeLimit: 5)
        var commonLoadPolicy = LoadPolicy()
        var bodyEncoder: JSONEncoder = OwnEncoder()
        var commonHeaders = ["X": "y"]
        @Held var body: User? = User()
        static let endpoint = Endpoint<Self>(method: .post, path: "users")
        typealias Response = Void
    }

    @Test("A stored hook of the right type is no problem")
    func hooks() {
        #expect(Hooked().problems.isEmpty)
        #expect(Hooked(body: nil).problems.isEmpty)
    }

    /// Swift names the key paths of `id` and `number` by the properties before them.
    struct Marked: FlatRequest {
        struct Mark {}
        let mark = Mark()
        let nothing: Void = ()
        let id: UInt8 = 1
        let number = 2
        static let endpoint = Endpoint<Self>(
            method: .get, path: "marks/\(path: \.id)", parameters: [.query("n", path: \.number)])
        typealias Response = Void
    }

    struct MarkedPath: RequestType {
        struct PathComponents {
            let mark = Marked.Mark()
            let id = 1
        }
        let pathComponents = PathComponents()
        static let endpoint = Endpoint<Self>(method: .get, path: "marks/\(path: \.id)")
        typealias Response = Void
    }

    @Test("A property beside one that takes no memory is read, whatever Swift calls its key path")
    func withoutSize() {
        #expect(Marked().problems.isEmpty)
        #expect(MarkedPath().problems.isEmpty)
    }

    @Test("A property that a hook reads can be excepted")
    func excepted() {
        #expect(GetUser().problems(except: \.locale).isEmpty)
        #expect(OtherNames().problems(except: \.headers, \.queryItems).count == 1)
    }

    @Test("A property inside pathComponents can be excepted, by itself or with all beside it")
    func exceptedInside() {
        let user = [EndpointError.Field.property("user")]
        #expect(Nested().problems(except: \.pathComponents.other).map(\.field) == user)
        #expect(Nested().problems(except: \.pathComponents).map(\.field) == user)
        #expect(Nested().problems(except: \.pathComponents.id).count == 2)
        #expect(Nested().problems(except: \.user.name).count == 1)
    }

    struct UnreadBoxes: FlatRequest {
        @Box var id = 1
        var idle = "a"
        static let endpoint = Endpoint<Self>(method: .get, path: "a")
        typealias Response = Void
    }

    @Test("A wrapped body is read, and doesn't hide what nothing reads")
    func wrappedBody() {
        #expect(WrappedBody().problems.map(\.field) == [.property("idle")])
    }

    @Test("A wrapped property is listed by its name, and can be excepted")
    func wrapped() {
        let fields = ["id", "idle"].map(EndpointError.Field.property)
        #expect(UnreadBoxes().problems.map(\.field) == fields)
        #expect(UnreadBoxes().problems(except: \.id).map(\.field) == [fields[1]])
        #expect(UnreadBoxes().problems(except: \.idle).map(\.field) == [fields[0]])
    }

    struct Observed: FlatRequest {
        var id = 1 { didSet {} }
        var idle = "a"
        let _raw = 2.0
        static let endpoint = Endpoint<Self>(method: .get, path: "a")
        typealias Response = Void
    }

    @Test("An observed property can be excepted, and one with an underscore has it in its name")
    func observed() {
        let fields = ["id", "idle", "_raw"].map(EndpointError.Field.property)
        #expect(Observed().problems.map(\.field) == fields)
        #expect(Observed().problems(except: \.id).map(\.field) == [fields[1]])
        #expect(Observed().problems(except: \._raw).map(\.field) == [fields[0], fields[1]])
    }

    class Grandparent: @unchecked Sendable { let first = 1 }
    class Parent: Grandparent, @unchecked Sendable { let second = 2 }
    final class Child: Parent, FlatRequest, @unchecked Sendable {
        let third = 3
        static let endpoint = Endpoint<Child>(method: .get, path: "\(path: \.third)")
        typealias Response = Void
    }

    @Test("The properties of all superclasses are listed, too")
    func ofSuperclasses() {
        let fields = ["first", "second"].map(EndpointError.Field.property)
        #expect(Child().problems.map(\.field) == fields)
    }

    @Test("A request's problems begin with its declaration's")
    func declaration() {
        struct Ask: FlatRequest {
            static let endpoint = Endpoint<Self>(method: .get, path: "a?b")
            typealias Response = Void
        }
        #expect(Ask().problems.map(\.field) == [.path])
    }

    struct All: FlatRequest {
        var id = 1
        var page: Int?
        var user = User()
        var nested = (a: 1, b: 2)
        var maybe: User?
        var title = ""
        var credentials = Credentials.bearer("t")
        static let endpoint = Endpoint<Self>(
            method: .post, path: "users/\(path: \.id)",
            parameters: [
                .query("page", path: \.page), .query("name", path: \.user.name),
                .query("a", path: \.nested.a), .query("maybe", path: \.maybe?.name),
                .form("title", path: \.title), .query(contentsOf: \.items),
            ],
            headers: HeaderList(
                [.authorization: .field(path: \.credentials)], contentsOf: \.more))
        typealias Response = Void
        var bodyEncoder = JSONEncoder()
        var loadPolicy = LoadPolicy.default
        var items: [URLQueryItem] = []
        var more: [Headers: String] = [:]
        var commonHeaders: [Headers: String] = [:]
    }

    struct Generic<Item: Decodable>: FlatRequest {
        let page: (Int) -> String
        var number: Int
        static var endpoint: Endpoint<Self> {
            .once(Endpoint(method: .get, path: "\(path: \.number)"))
        }
        typealias Response = [Item]
    }

    struct Computed: FlatRequest {
        var words = ["a"]
        var text: String { words.joined() }
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a", parameters: [.query("q", path: \.text)])
        typealias Response = Void
    }

    struct ComputedBody: FlatRequest, Encodable {
        var title = ""
        var body: Self { self }
        static let endpoint = Endpoint<Self>(method: .post, path: "a")
        typealias Body = Self
        typealias Response = Void
    }

    struct ComputedParts: RequestType {
        struct PathComponents { var id = 1 }
        var number = 1
        var pathComponents: PathComponents { PathComponents(id: number) }
        static let endpoint = Endpoint<Self>(method: .get, path: "\(path: \.id)")
        typealias Response = Void
    }

    struct Wrapped: FlatRequest {
        @Box var id = 1
        static let endpoint = Endpoint<Self>(method: .get, path: "\(path: \.id)")
        typealias Response = Void
    }

    @propertyWrapper struct Box: Sendable { var wrappedValue: Int }

    struct Underscored: FlatRequest {
        let _id = 1
        static let endpoint = Endpoint<Self>(method: .get, path: "\(path: \._id)")
        typealias Response = Void
    }

    @propertyWrapper struct Held<Value: Sendable>: Sendable {
        private var held: Value
        var wrappedValue: Value { held }
        init(wrappedValue: Value) { held = wrappedValue }
    }

    struct WrappedBody: FlatRequest {
        @Held var body = User()
        var idle = 1
        static let endpoint = Endpoint<Self>(method: .post, path: "users")
        typealias Response = Void
    }

    struct Dumped: FlatRequest, CustomReflectable {
        var secret = 1
        var customMirror: Mirror { Mirror(self, children: ["other": 1]) }
        static let endpoint = Endpoint<Self>(method: .get, path: "a")
        typealias Response = Void
    }

    static let sent: [any RequestType & Sendable] = [
        All(), Computed(), ComputedBody(), ComputedParts(), Wrapped(), Dumped(),
        Underscored(),
    ]

    @Test(
        "A property that is sent, or may be read by a computed one, is no problem",
        arguments: sent)
    func complete(_ request: any RequestType & Sendable) {
        #expect(request.problems.isEmpty)
    }

    @Test("A generic request's properties are found by their names")
    func generic() {
        let request = Generic<[String: [Int]]>(page: { "\($0)" }, number: 1)
        #expect(request.problems.map(\.field) == [.property("page")])
    }
}
