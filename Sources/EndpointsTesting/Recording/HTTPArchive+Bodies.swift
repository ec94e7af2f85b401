import Endpoints
import Foundation

extension HTTPArchive.Content {
    /// The body that is in the archive itself; `nil` if it isn't valid Base64.
    var data: Data? {
        guard encoding?.lowercased() == "base64" else { return Data((text ?? "").utf8) }
        return Data(base64: text ?? "")
    }

    /// The body, also one that is in a file beside the archive.
    /// - Parameter folder: The folder of the archive.
    func data(in folder: URL) throws(RecordingError) -> Data {
        if let _file { return try Data(of: _file, in: folder) }
        return data ?? Data()
    }
}

extension HTTPArchive.PostData {
    /// The bodies that a matching request may have: mostly one, and two for `params` that may be
    /// escaped already.
    /// - Parameter folder: The folder of the archive.
    func bodies(in folder: URL) throws(RecordingError) -> [Data] {
        if let _file { return [try Data(of: _file, in: folder)] }
        if let params, !params.isEmpty, (text ?? "").isEmpty {
            // The values are unescaped. Some programs write them as they were sent.
            let (escaped, raw) = (form(params, \.escapedInForm), form(params, \.self))
            return escaped == raw ? [raw] : [escaped, raw]
        }
        guard _encoding?.lowercased() == "base64" else { return [Data((text ?? "").utf8)] }
        return [Data(base64: text ?? "") ?? Data()]
    }

    private func form(
        _ params: [HTTPArchive.Parameter], _ escaped: (String) -> String
    ) -> Data {
        let fields = params.map { "\(escaped($0.name))=\(escaped($0.value ?? ""))" }
        return Data(fields.joined(separator: "&").utf8)
    }
}

extension Data {
    /// The bytes of a Base64 text, which may have line breaks; `nil` if it has any other character.
    init?(base64 text: String) {
        self.init(base64Encoded: text.filter { !$0.isWhitespace })
    }

    /// A body that a member `_file` names.
    fileprivate init(of name: String, in folder: URL) throws(RecordingError) {
        guard !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else {
            throw RecordingError(
                description: """
                    the archive's `_file` \(name) isn't in the archive's folder, so it isn't read; \
                    move the file there, and correct its name in the archive
                    """)
        }
        let file = folder.appendingPathComponent(name).resolvingSymlinksInPath()
        let inside = folder.resolvingSymlinksInPath().path
        guard "\(file.path)/".hasPrefix(inside.hasSuffix("/") ? inside : inside + "/") else {
            throw RecordingError(
                description: """
                    the archive's `_file` \(name) is a link to a file outside of the archive's \
                    folder, so it isn't read; put a copy of the file into the folder
                    """)
        }
        do {
            let values = try file.resourceValues(forKeys: [.isRegularFileKey])
            guard values.isRegularFile == true else { throw CocoaError(.fileReadUnknown) }
            self = try Data(contentsOf: file)
        } catch {
            throw RecordingError(
                description: """
                    the archive's `_file` \(name) can't be read; put the file into the folder of \
                    the archive, \(folder.path)
                    """)
        }
    }
}
