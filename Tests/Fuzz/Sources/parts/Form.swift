import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A form as `parts.py` describes it.
struct Form: Decodable, Sendable {
    struct Part: Decodable, Sendable {
        let name: String
        /// A text.
        let text: String?
        /// The bytes of a file.
        let data: Data?
        let fileName: String?
        let type: String?
        /// Whether the bytes are on disk.
        let isOnDisk: Bool?
    }

    let parts: [Part]

    /// The request with a body that is made of the parts.
    func body(_ disk: URL) throws -> URLRequest {
        let parts = try parts.enumerated().map { index, part in
            if let text = part.text { return Multipart.Part.text(part.name, text) }
            return .file(part.name, try part.file(disk.appendingPathComponent("\(index)")))
        }
        return try Send(body: Multipart(parts)).urlRequest(in: .test)
    }

    /// The request whose parts are declared.
    func declared(_ disk: URL) throws -> URLRequest {
        let values = try Values(
            parts: parts.enumerated().map { index, part in
                (part.text, try part.file(disk.appendingPathComponent("\(index)")))
            })
        let parameters = parts.enumerated().map { index, part in
            part.text == nil
                ? Parameter<Values>.part(part.name, path: \.[file: index])
                : .part(part.name, path: \.[text: index])
        }
        let endpoint = Endpoint<Declared>(
            method: .post, path: "form", parameters: ParameterList(parameters))
        return try Declared.$endpoint.withValue(endpoint) {
            try Declared(parameters: values).urlRequest(in: .test)
        }
    }
}

extension Form.Part {
    /// The bytes as a file, at times on disk.
    fileprivate func file(_ disk: URL) throws -> File {
        let data = data ?? Data()
        let type = type.map(MIMEType.init(rawValue:))
        guard isOnDisk == true else { return File(data, name: fileName ?? "", contentType: type) }
        try data.write(to: disk)
        return File(disk, name: fileName, contentType: type)
    }
}

struct Send: RequestType {
    typealias Response = Void
    let body: Multipart
    static let endpoint = Endpoint<Send>(method: .post, path: "form")
}

/// The values of declared parts.
struct Values {
    let parts: [(text: String?, file: File)]

    subscript(text index: Int) -> String { parts[index].text ?? "" }
    subscript(file index: Int) -> File { parts[index].file }
}

struct Declared: RequestType {
    typealias Response = Void
    @TaskLocal static var endpoint = Endpoint<Declared>(method: .post, path: "form")
    let parameters: Values
}

extension ServerEnvironment {
    fileprivate static let test = ServerEnvironment(
        baseUrl: URL(string: "https://h") ?? URL(fileURLWithPath: "/"))
}
