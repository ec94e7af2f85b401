import EndpointsDocuments
import Foundation

/// The arguments of the command.
struct Arguments {
    private(set) var source = ""
    private(set) var folder = ""
    private(set) var tags: [String] = []
    private(set) var paths: [String] = []
    private(set) var operations: [String] = []
    private(set) var settings: String?
    private(set) var calls: String?
    private(set) var tests: String?
    private(set) var notes: String?
    private(set) var root: String?
    private(set) var writesSignIn = false
    private(set) var allowsSkipped = false
    private(set) var wantsHelp = false

    static let help = """
        usage: endpoints-import <document.json or -> --into <folder> [options]

        Writes a declaration of each operation of an OpenAPI document (3.0, 3.1 or 3.2).

          --tag <tag>            only the operations with this tag
          --path <path>          only the operations of this path, or below it: /users
          --operation <name>     only this operation: its operationId, or "get /users"
          --names <file.json>    names, types and what is left out, as a person wants them
          --root <folder>        where other files may be that the document names; its own folder, if
                                 it isn't given
          --notes <file>         writes all notes into a file; the terminal shows each kind once
          --tests <folder>       writes tests of the document's examples, and one that compares the
                                 declarations with the document
          --sign-in              writes the OAuth 2 servers and scopes of the securitySchemes, for
                                 `OAuthCredentials` of EndpointsAuth
          --calls <values.json>  writes a file that prints the request of each operation
          --allow-skipped        exits with 0 although an operation isn't declared

        It exits with 0 if each operation is declared, with 2 if one isn't, with 3 if an edited file
        has a conflict, and with 1 if nothing was written.

        --tag, --path and --operation can be given several times. Into a folder that has operations
        already they add the ones that they name.
        """

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        func value(_ option: String) throws -> String {
            guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value") }
            return value
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--into": folder = try value(argument)
            case "--tag": tags.append(try value(argument))
            case "--path": paths.append(try value(argument))
            case "--operation": operations.append(try value(argument))
            case "--names": settings = try value(argument)
            case "--notes": notes = try value(argument)
            case "--root": root = try value(argument)
            case "--tests": tests = try value(argument)
            case "--calls": calls = try value(argument)
            case "--sign-in": writesSignIn = true
            case "--allow-skipped": allowsSkipped = true
            case "--help", "-h": wantsHelp = true
            case _ where argument.hasPrefix("--"):
                throw UsageError("\(argument) isn't an option\n\n\(Self.help)")
            case _ where source.isEmpty: source = argument
            default: throw UsageError("\(argument) is a second document; give one\n\n\(Self.help)")
            }
        }
        guard !wantsHelp else { return }
        if source.isEmpty { throw UsageError("the document is missing\n\n\(Self.help)") }
        if folder.isEmpty { throw UsageError("--into <folder> is missing\n\n\(Self.help)") }
    }

    /// The document, with the files beside it.
    func document() throws -> Document {
        guard source != "-" else {
            return try Document(FileHandle.standardInput.readDataToEndOfFile())
        }
        let folder = URL(fileURLWithPath: source).deletingLastPathComponent()
        return try Document(
            Self.file(source), folder: folder,
            limit: root.map { URL(fileURLWithPath: $0, isDirectory: true) })
    }

    func overrides() throws -> Overrides {
        guard let settings else { return Overrides() }
        do { return try Overrides(try Self.file(settings)) } catch let error as JSONError {
            throw UsageError("\(settings): \(error)")
        }
    }

    /// The module of the declarations: the last part of the folder.
    var module: String { URL(fileURLWithPath: folder).lastPathComponent }

    /// The values of `--calls`.
    func values() throws -> Node? {
        guard let calls else { return nil }
        do { return Node(try JSONReader.read(try Self.file(calls))) } catch let error as JSONError {
            throw UsageError("\(calls): \(error)")
        }
    }

    static func file(_ path: String) throws -> Data {
        do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            throw UsageError("\(path) can't be read: \(error.localizedDescription)")
        }
    }

    /// Whether only a part of the document is wanted.
    var namesPart: Bool { !parts.isEmpty }

    /// Whether an operation is in the part that is wanted.
    func selects(_ operation: Operation) -> Bool {
        let parts = parts
        return parts.isEmpty || parts.contains { $0.has(operation) }
    }

    /// Throws if a `--tag`, `--path` or `--operation` is that of no operation.
    func checkParts(_ operations: [Operation]) throws {
        for part in parts where !operations.contains(where: part.has) {
            throw UsageError("\(part.option): no operation of the document has it; correct it")
        }
    }

    private var parts: [(option: String, has: (Operation) -> Bool)] {
        tags.map { tag in
            ("--tag \(tag)", { $0.node["tags"]?.texts.contains(tag) == true })
        }
            + paths.map { path in
                ("--path \(path)", { $0.path == path || $0.path.hasPrefix(path + "/") })
            }
            + operations.map { name in ("--operation \(name)", { $0.handles.contains(name) }) }
    }
}

/// What is wrong with the command, and what to do.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
