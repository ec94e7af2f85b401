import EndpointsDocuments

/// The names of operations: what tools add to identifiers is left out, and the verb is the first
/// word.
///
/// Each operation has several names that it could have, the best one first. It gets the first one
/// that no other operation could have too.
struct OperationNames {
    private var counts: [String: Int] = [:]
    /// The identifiers without the number that springdoc adds to the second one: `get_1`.
    private var bases: [String: Int] = [:]
    /// The paths of collections: those after which a path has a value more.
    private var collections: Set<String> = []

    init(_ operations: [Operation]) {
        for operation in operations {
            let parts = operation.path.split(separator: "/")
            if parts.last?.hasPrefix("{") == true {
                collections.insert(parts.dropLast().joined(separator: "/"))
            }
        }
        for operation in operations {
            guard let identifier = operation.identifier else { continue }
            bases[identifier.withoutNumber, default: 0] += 1
        }
        for operation in operations {
            for name in Set(candidates(for: operation)) { counts[name, default: 0] += 1 }
        }
    }

    func name(of operation: Operation) -> String {
        let names = candidates(for: operation)
        return names.first { counts[$0] == 1 } ?? names.last ?? ""
    }

    /// The names of the schemas that FastAPI makes of a function's parameters, by those that it
    /// gives them: `Body_read_items_items_filter_post` is `ReadItemsBody`.
    func bodies(of operations: [Operation]) -> [String: String] {
        let pairs = operations.compactMap { operation in
            operation.identifier.map { ("Body_\($0)", name(of: operation) + "Body") }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private func candidates(for operation: Operation) -> [String] {
        let names: [String]
        if let identifier = operation.identifier, !identifier.upperCamel.isEmpty {
            names =
                [
                    sentence(identifier), withoutPath(identifier, operation),
                    verbFirst(identifier, operation), withoutGroup(identifier, operation),
                    numbered(identifier, operation),
                ].compactMap { $0 } + [identifier.upperCamel]
        } else {
            let isMany = isOfMany(operation)
            names = [
                Self.name(operation.method, operation.segments.withoutVersion, operation, isMany),
                Self.name(operation.method, operation.segments, operation, isMany),
            ]
        }
        return names.filter { !$0.isEmpty }
    }

    /// Whether an operation gives a list, at the path of a collection.
    private func isOfMany(_ operation: Operation) -> Bool {
        let responses = operation.node["responses"]?.members ?? []
        let contents = responses.filter { $0.name.hasPrefix("2") }.flatMap {
            $0.node["content"]?.allMembers ?? []
        }
        return operation.method == "get"
            && contents.contains { $0.node["schema"]?["type"]?.text == "array" }
            && collections.contains(operation.path.split(separator: "/").joined(separator: "/"))
    }

    /// The method and the path, in the spelling of the tag: `/api/v1/customfilter/{id}` with the
    /// tag `CustomFilter` is `GetCustomFilterById`, and a list of these `GetCustomFilters`.
    private static func name(
        _ method: String, _ segments: [String], _ operation: Operation, _ isMany: Bool
    ) -> String {
        let parts = segments.map { segment in
            if segment.hasPrefix("{") { return "by \(segment)" }
            return segment.lowercased() == operation.tag.lowercased() ? operation.tag : segment
        }
        var words = ([method] + parts).joined(separator: " ").words
        if isMany { words.append((words.popLast() ?? "").plural) }
        return words.joined(separator: " ").upperCamel
    }

    /// A sentence without its articles: `Get a payment's events` is `GetPaymentEvents`.
    private func sentence(_ identifier: String) -> String? {
        let words = identifier.split(separator: " ").map(String.init)
        guard words.count > 1 else { return nil }
        let kept = words.filter { !["a", "an", "the"].contains($0.lowercased()) }
            .map { word in
                ["'s", "’s"].first { word.hasSuffix($0) }.map { String(word.dropLast($0.count)) }
                    ?? word.filter { $0 != "'" && $0 != "’" }
            }
        return kept.joined(separator: " ").upperCamel
    }

    /// FastAPI adds the path and the method: `read_item_items__id__get`.
    private func withoutPath(_ identifier: String, _ operation: Operation) -> String? {
        let ending =
            operation.path.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" }
            + "_\(operation.method)"
        guard identifier.hasSuffix(String(ending)), identifier.count > ending.count else {
            return nil
        }
        let name = String(identifier.dropLast(ending.count))
        // A function that is named by what it returns: `events` at `/events`.
        guard operation.method == "get", let first = name.words.first?.lowercased(),
            !Verbs.all.contains(first),
            operation.segments.flatMap(\.words).contains(where: {
                $0.lowercased().singular == first.singular
            })
        else { return name.upperCamel }
        return "get \(name)".upperCamel
    }

    /// Django REST framework and TypeSpec write the verb last: `pets_partial_update`, `Pets_read`.
    private func verbFirst(_ identifier: String, _ operation: Operation) -> String? {
        var (group, call) = identifier.groupAndCall
        guard let verb = call.popLast(), Verbs.methods[verb]?.contains(operation.method) == true,
            call.allSatisfy({ ["partial", "bulk"].contains($0) })
        else { return nil }
        for word in ["partial", "bulk"] where group.last?.lowercased() == word {
            group.removeLast()
            call.insert(word, at: 0)
        }
        guard let first = group.first, !Verbs.all.contains(first.lowercased()) else { return nil }
        var words = [call.contains("partial") ? "patch" : Verbs.usual[verb] ?? verb] + group
        let isMany = call.contains("bulk") || Verbs.ofMany.contains(verb)
        if isMany {
            if call.contains("bulk") { words.insert("bulk", at: 0) }
            // `tenant_list` at `/tenants`.
            let noun = operation.segments.last ?? ""
            if noun.lowercased().singular == group.last?.lowercased() {
                words[words.count - 1] = noun
            }
        } else if verb == "create" || operation.segments.last?.hasPrefix("{") == true {
            words.append((words.popLast() ?? "").singular)
        }
        return words.joined(separator: " ").upperCamel
    }

    /// Many tools add the class or the group: `UsersController_findAll`, `Widgets_listWidgets`,
    /// `scores_get-many`.
    private func withoutGroup(_ identifier: String, _ operation: Operation) -> String? {
        var (group, call) = identifier.groupAndCall
        // A version in both stands once: `scoresV3_getManyV3`.
        group.removeAll { $0.isVersion && call.contains($0.lowercased()) }
        guard let noun = group.last, let verb = call.first,
            !Verbs.all.contains(group[0].lowercased())
        else { return nil }
        let objects = call.prefix { !Verbs.prepositions.contains($0) }
        if call.count == 1
            ? verb == noun.lowercased()
            : objects.dropFirst().contains(where: {
                $0.singular == noun.lowercased().singular
            })
        {
            return call.joined(separator: " ").upperCamel
        }
        let isMethod = identifier.contains("Controller")
        // A single word may be a noun: `weather_update`, `blood_test`.
        let isNoun = call.count == 1 && (Verbs.methods[verb] != nil || operation.method == "get")
        guard Verbs.all.contains(verb), isMethod || !isNoun else {
            return isMethod ? (group + call).joined(separator: " ").upperCamel : nil
        }
        let many = call.prefix(2).dropFirst().filter { Verbs.many.contains($0) }
        let isMany = !many.isEmpty || Verbs.ofMany.contains(verb)
        if !isMany { group[group.count - 1] = noun.singular }
        call.insert(contentsOf: group, at: 1 + many.count)
        return call.joined(separator: " ").upperCamel
    }

    /// springdoc and Micronaut name an operation by its method in Java, with a number if several
    /// have one name: `update_1` at `/tenants/{id}` is `UpdateTenant`.
    private func numbered(_ identifier: String, _ operation: Operation) -> String? {
        let base = identifier.withoutNumber
        let words = base.words
        guard let verb = words.first?.lowercased() else { return nil }
        if words.count == 1,
            Verbs.methods[verb] != nil || Verbs.all.contains(verb) && bases[base, default: 0] > 1
        {
            let segments = operation.segments.withoutVersion
            let noun = segments.last { !$0.hasPrefix("{") && $0.lowercased() != verb }
            guard let noun, noun.upperCamel.isEmpty == false else { return nil }
            let isOne = verb == "create" || segments.last != noun
            return "\(verb) \(isOne ? noun.singular : noun)".upperCamel
        }
        let tag = operation.tag.words
        guard bases[base, default: 0] > 1, (1...3).contains(tag.count),
            !base.lowercased().contains(tag.joined().lowercased().singular),
            operation.tag.allSatisfy({ $0.isLetter || $0 == " " })
        else { return nil }
        return (words + tag).joined(separator: " ").upperCamel
    }
}

/// The words that begin an operation's name.
private enum Verbs {
    /// Those that end an identifier, with the methods by which they aren't nouns.
    static let methods: [String: Set<String>] = [
        "list": ["get", "post"], "search": ["get", "post"], "query": ["get", "post"],
        "find": ["get", "post"], "get": ["get"], "read": ["get"], "retrieve": ["get"],
        "fetch": ["get"], "create": ["post"], "add": ["post", "put"], "upsert": ["post", "put"],
        "update": ["put", "patch", "post"], "patch": ["patch"], "replace": ["put"],
        "delete": ["delete", "post"], "destroy": ["delete"], "remove": ["delete", "post"],
        "activate": ["post", "put", "patch"], "deactivate": ["post", "put", "patch"],
    ]
    /// Django's words, as HTTP says them.
    static let usual = ["retrieve": "get", "destroy": "delete"]
    static let ofMany: Set = ["list", "search", "find", "query"]
    static let prepositions: Set = ["by", "for", "in", "of", "with", "from", "to"]
    static let many: Set = ["all", "many", "multiple", "bulk", "batch"]
    static let all: Set<String> = Set(methods.keys).union([
        "accept", "approve", "archive", "assign", "attach", "cancel", "check", "clone", "copy",
        "compare", "count", "decline", "detach", "disable", "download", "enable", "execute",
        "explore", "export", "filter", "handle", "login", "logout", "ping", "preview",
        "proxy", "serve", "show", "stream", "view",
        "generate", "import", "invite", "join", "leave", "move", "post", "publish", "put",
        "refresh",
        "register", "reject", "rename", "request", "resend", "reset", "restore", "revoke", "run",
        "save", "send", "set", "start", "stop", "submit", "sync", "test", "trust", "unassign",
        "upload", "validate", "verify",
    ])
}

extension String {
    /// The parts of `Widgets_listWidgets` or `tags.list`: the words before the last mark, and the
    /// words of the call in small letters.
    fileprivate var groupAndCall: (group: [String], call: [String]) {
        let parts = split { $0 == "_" || $0 == "." }.map(String.init)
        guard parts.count > 1, !contains("/"), !contains(" "), let last = parts.last else {
            return ([], words.map { $0.lowercased() })
        }
        var group = parts.dropLast().flatMap(\.words)
        if group.count > 1, group.last == "Controller" { group.removeLast() }
        return (group, last.words.map { $0.lowercased() })
    }

    /// Without the number that a tool adds: `list_1` is `list`.
    fileprivate var withoutNumber: String {
        guard let place = lastIndex(of: "_"), place != startIndex else { return self }
        let number = self[index(after: place)...]
        return !number.isEmpty && number.allSatisfy(\.isNumber) ? String(self[..<place]) : self
    }
}

extension String {
    /// `v1`, `V3` or `v1.1`.
    fileprivate var isVersion: Bool {
        first?.lowercased() == "v" && count > 1
            && dropFirst().allSatisfy { $0.isNumber || $0 == "." }
    }
}

extension Operation {
    fileprivate var segments: [String] { path.split(separator: "/").map(String.init) }
}

extension [String] {
    /// Without what each path of an API begins with: `api`, `rest`, a version.
    fileprivate var withoutVersion: [String] {
        let rest = drop { ["api", "rest"].contains($0.lowercased()) || $0.isVersion }
        return rest.isEmpty ? self : Array(rest)
    }
}
