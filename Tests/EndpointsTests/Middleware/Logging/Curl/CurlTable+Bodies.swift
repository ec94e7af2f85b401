import Endpoints
import EndpointsFormats
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension CurlTable {
    /// What the rules say of headers and credentials.
    static let headers = [
        CurlTable("header values") {
            HeaderFieldTests.values.map { row in
                CurlRow("\(row)", Probe(a: row.value), headers: ["X-A": .field(path: \.a)])
            }
                + ServerHeaderTests.values.map { row in
                    CurlRow("\(row)", ServerHeaderTests.Record(text: row.text))
                }
        },
        CurlTable("header names") {
            let token = Headers(name: "!#$%&'*+-.^_`|~09azAZ")
            return HeaderCaseTests.additional.map { row in
                CurlRow("\(row.fields)", row.values, headers: row.headers)
            } + [CurlRow(token.name, Probe(a: "v"), headers: [token: .field(path: \.a)])]
        },
        CurlTable("layers of headers") {
            HeaderLayerTests.rows.map { row in
                CurlRow(
                    "\(row.fields)", row.call, HeaderLayerTests.Call.$endpoint,
                    Endpoint(method: .post, path: "p", headers: row.declared)
                ) { recorder in
                    var server = recorder
                    server.headers = row.environment
                    return server
                }
            }
        },
        CurlTable("Accept") { DefaultHeaderTests.rows.map { $0.request.curlRow } },
        CurlTable("credentials") {
            CredentialsTests.pairs.map { row in
                credentials(.basic(username: row.username, password: row.password))
            }
                + CredentialsTests.schemes.filter { $0.text != nil }.map { row in
                    credentials(.scheme(row.scheme, row.parameters))
                } + [credentials(.bearer("t0k3n.-_~+/="))]
        },
    ]

    /// What the rules say of forms and of other bodies.
    static let bodies = [
        CurlTable("form names and values") {
            FormTests.values.map { row in
                form([.form("k", path: \.a), .form(row.value, path: \.a)], Probe(a: row.value))
            } + FormTests.fields.map { form($0.parameters, $0.values) }
        },
        CurlTable("forms of several values") {
            SeveralValuesTests.forms.map { several($0, .post) }
        },
        CurlTable("methods of forms") {
            [HTTPMethod.post, .put, .patch, .delete, "QUERY"].map { method in
                form([.form("a", path: \.a)], Probe(a: "1"), method)
            }
        },
        CurlTable("form bodies") {
            let rows =
                FormEncoderTests.nesting + FormEncoderTests.nothing + FormEncoderTests.texts
                + FormContainerTests.rows.map { ($0.value, $0.form) }
                + FormListTests.rows.map { ($0.value, $0.brackets) }
            return rows.map { CurlRow($0.form, SendForm($0.value)) }
        },
        CurlTable("nested parameters") {
            FormRequestTests.rows.flatMap { row in
                [row.query, row.form].map { parameter in
                    CurlRow(
                        row.text, FormRequestTests.Search(), FormRequestTests.Search.$endpoint,
                        Endpoint(method: .post, path: "s", parameters: [parameter]))
                }
            }
                + ParameterEncodingTests.searches.map { row in
                    CurlRow(
                        row.url, row.values, ParameterEncodingTests.Search.$endpoint,
                        Endpoint(method: .post, path: "s", parameters: row.parameters))
                }
        },
        CurlTable("bodies") { BodyTests.rows.map { $0.request.curlRow } },
        CurlTable("large bodies") {
            [100_000, 200_000, 1_100_000].flatMap { count in
                [
                    CurlRow(
                        "\(count) letters",
                        BodyTests.Send(body: String(repeating: "a'", count: count / 2))),
                    CurlRow("\(count) bytes", BodyTests.Send(body: Data(count: count))),
                ]
            }
        },
        CurlTable("multipart bodies") {
            MultipartTests.rows.map { row in
                CurlRow(row.text, MultipartTests.Send(body: Multipart(row.parts, boundary: "b")))
            }
                + PartTests.rows.map { row in
                    CurlRow(
                        "\(row.parts)", PartTests.Send(), PartTests.Send.$endpoint,
                        Endpoint(method: .post, path: "form", parameters: [row.parameter]))
                }
        },
        CurlTable("files") {
            try ["a b.txt", "it's $1 %s.bin", "-", "é\"`\\.png"].enumerated().flatMap { row in
                let file = try TemporaryFile(count: 70_000 * row.offset, name: row.element)
                let parts = Multipart([.text("a", "1"), .file("f", File(file.url))])
                return [
                    CurlRow(row.element, FileTests.Put(body: File(file.url)), of: [file]),
                    CurlRow(row.element, FileTests.Put(body: parts), of: [file]),
                ]
            }
        },
    ]

    private static func credentials(_ credentials: Credentials) -> CurlRow {
        CurlRow(
            String(describing: credentials),
            headers: [.authorization: .fieldValue(value: credentials)])
    }

    private static func form(
        _ parameters: ParameterList<Probe>, _ probe: Probe, _ method: HTTPMethod = .post
    ) -> CurlRow {
        CurlRow("\(method) \(probe)", probe, "f", parameters, method: method)
    }

}

extension RequestType where Self: Sendable {
    fileprivate var curlRow: CurlRow { CurlRow("\(self)", self) }
}

/// A body of any value, as a form.
private struct SendForm: FlatRequest {
    let body: Encoded
    static let endpoint = Endpoint<Self>(method: .post, path: "f")
    static let bodyEncoder = FormEncoder()
    typealias Response = Void

    init(_ value: any Encodable & Sendable) { body = Encoded { try value.encode(to: $0) } }
}
