import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reads forms, one a line of JSON, and writes the bytes of each as a multipart body, one a line of
/// JSON: once by a ``Multipart`` body, and once by declaration.
@main
enum Main {
    static func main() throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("parts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        while let line = readLine() {
            let form = try JSONDecoder().decode(Form.self, from: Data(line.utf8))
            let outcomes = [outcome { try form.body($0) }, outcome { try form.declared($0) }]
            FileHandle.standardOutput.write(try JSONEncoder().encode(outcomes) + Data("\n".utf8))
        }

        func outcome(_ request: (URL) throws -> URLRequest) -> Outcome {
            do {
                let request = try request(directory)
                guard let upload = request.upload else { return Outcome(refusal: "no upload") }
                return Outcome(
                    type: request.value(forHTTPHeaderField: "Content-Type"),
                    length: try upload.contentLength, body: try upload.data())
            } catch {
                return Outcome(refusal: "\(error)")
            }
        }
    }
}

/// What became of a form.
struct Outcome: Encodable {
    var type: String?
    var length: Int64?
    var body: Data?
    var refusal: String?
}
