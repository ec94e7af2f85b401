import Foundation

/// The files beside a document that its references name: each is read once.
final class DocumentFiles {
    private let folder: URL?
    private let limit: String
    private var roots: [String: Node] = [:]

    /// The values of the files that were read, in the order of their names.
    var read: [JSON] { roots.sorted { $0.key < $1.key }.map(\.value.json) }

    /// - Parameter limit: The folder outside which no file is read.
    init(folder: URL?, limit: URL?) {
        self.folder = folder?.standardizedFileURL.resolvingSymlinksInPath()
        let path = limit?.standardizedFileURL.resolvingSymlinksInPath().path ?? ""
        self.limit = path.hasSuffix("/") ? path : path + "/"
    }

    /// The whole value of a file that a reference names.
    ///
    /// - Throws: A ``DocumentError`` that says why the file isn't read, and what to do.
    func root(
        of name: String, from pointer: Pointer, document: Node
    ) throws(DocumentError) -> Node {
        guard !name.contains("://"), !name.hasPrefix("//") else {
            throw DocumentError(
                pointer,
                """
                `\(name)` is at another server, and only files are read; put all into one document \
                first, for example by `npx @redocly/cli bundle api.json -o bundle.json`
                """)
        }
        guard let folder else {
            throw DocumentError(
                pointer,
                """
                `\(name)` is another file, and a document without a place of its own has none; \
                give the document's file, or put all into one first, for example by \
                `npx @redocly/cli bundle api.json -o bundle.json`
                """)
        }
        let base = folder.appendingPathComponent(pointer.file).deletingLastPathComponent()
        let start = pointer.file.isEmpty ? folder : base
        let place =
            name.isEmpty ? pointer.file : relative(name.removingPercentEncoding ?? name, to: start)
        guard let place else {
            throw DocumentError(
                pointer,
                "`\(name)` is outside the folder of the document; say by `--root` from where files are read"
            )
        }
        if let known = roots[place] { return known }
        let file = folder.appendingPathComponent(place)
        guard let data = try? Data(contentsOf: file) else {
            throw DocumentError(pointer, "the file `\(name)` can't be read")
        }
        let root: Node
        do { root = Node(try JSONReader.read(data), at: Pointer(file: place)) } catch {
            throw DocumentError(
                pointer,
                data.isYAML
                    ? """
                    the file `\(name)` is YAML, and only JSON is read; convert it and what names \
                    it, or put all into one document first, for example by \
                    `npx @redocly/cli bundle api.json -o bundle.json`
                    """ : "the file `\(name)` isn't JSON: \(error)")
        }
        roots[place] = root
        return root
    }

    /// The path of a file from the document's folder; `nil` outside the limit.
    private func relative(_ name: String, to start: URL) -> String? {
        let file = URL(fileURLWithPath: name, relativeTo: start.appendingPathComponent(""))
            .standardizedFileURL.resolvingSymlinksInPath()
        guard file.path.hasPrefix(limit), let folder else { return nil }
        let (parts, own) = (file.pathComponents, folder.pathComponents)
        let shared = zip(parts, own).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: own.count - shared)
        return (up + parts.dropFirst(shared)).joined(separator: "/")
    }
}
