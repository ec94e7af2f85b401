import EndpointsDocuments

/// The names of operations: what tools add to identifiers is left out, and the verb is the first
/// word.
///
/// Each operation has several names that it could have, the best one first. It gets the first one
/// that no other operation could have too. A name that leaves out `api` or a version at the
/// beginning of an identifier, or the value at the end of a path, is left to one that doesn't.
struct OperationNames {
    private struct Candidate: Hashable {
        let name: String
        var isLessExact = false
        /// Whether it is only to tell two of one name apart, so that it takes a name from no other.
        var isLast = false
    }

    private var counts: [Candidate: Int] = [:]
    /// The identifiers without the number that springdoc adds to the second one: `get_1`.
    private var bases: [String: Int] = [:]
    /// The paths of collections: those after which a path has a value more.
    private var collections: Set<String> = []
    /// The group before all identifiers of a document, which tells none of them apart: the one
    /// service of a gRPC API, `Zoo_ListPets`.
    private var shared: [String] = []

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
        shared = Self.sharedGroup(operations)
        for operation in operations {
            for name in Set(candidates(for: operation)) { counts[name, default: 0] += 1 }
        }
    }

    func name(of operation: Operation) -> String {
        let candidates = candidates(for: operation)
        let free = candidates.first {
            let isLess = $0.isLessExact || $0.isLast
            return counts[$0] == 1 && (!isLess || counts[Candidate(name: $0.name)] == nil)
                && (!$0.isLast || counts[Candidate(name: $0.name, isLessExact: true)] == nil)
        }
        return (free ?? candidates.last)?.name ?? ""
    }

    /// The names of the schemas that FastAPI makes of a function's parameters, by those that it
    /// gives them: `Body_read_items_items_filter_post` is `ReadItemsBody`.
    func bodies(of operations: [Operation]) -> [String: String] {
        let pairs = operations.compactMap { operation in
            operation.identifier.map { ("Body_\($0)", name(of: operation) + "Body") }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private func candidates(for operation: Operation) -> [Candidate] {
        var found: [Candidate] = []
        if let identifier = operation.identifier, !identifier.upperCamel.isEmpty,
            !identifier.saysNothing
        {
            if let verb = verb(of: identifier, thatRestates: operation) {
                found.append(Candidate(name: short(verb, operation, isOfMany(operation))))
            }
            for text in [identifier.withoutBeginning(shared), identifier].unique {
                // A function of this name may be nearer to another path: `list_users` at `/users`,
                // and at `/auth/users`.
                let told = withOwnPath(text, operation)
                if let told, let name = withoutPath(text, operation) {
                    found.append(Candidate(name: name, isLessExact: true))
                    found.append(Candidate(name: told, isLast: true))
                }
                let names =
                    [
                        sentence(text), told == nil ? withoutPath(text, operation) : nil,
                        beginning(of: text, before: operation).map { _ in
                            short(operation.method, operation, isOfMany(operation))
                        },
                        withoutMethod(text, operation), verbFirst(text, operation),
                        withoutGroup(text, operation), numbered(text, operation),
                    ].compactMap { $0 } + [text.upperCamel]
                found += names.map { Candidate(name: $0, isLessExact: text != identifier) }
            }
        } else {
            let isMany = isOfMany(operation)
            let verb = isNew(operation) ? "create" : operation.method
            found = [
                Candidate(
                    name: short(verb, operation, isMany),
                    isLessExact: operation.segments.last?.hasPrefix("{") == true),
                Candidate(
                    name: Self.name(
                        operation.method, operation.segments.withoutVersion, operation, isMany)),
                Candidate(
                    name: Self.name(operation.method, operation.segments, operation, isMany)),
            ]
        }
        return found.filter { !$0.name.isEmpty }
    }

    /// The group that all identifiers begin with, if what follows is a verb with its object.
    private static func sharedGroup(_ operations: [Operation]) -> [String] {
        let parts = operations.map { ($0.identifier ?? "").withoutBeginning([]).parts }
        guard let group = parts.first?.dropLast(), parts.count > 1, !group.isEmpty else {
            return []
        }
        return parts.allSatisfy { $0.dropLast() == group && ($0.last ?? "").words.count > 1 }
            ? Array(group) : []
    }

    /// Whether an operation adds one to a collection that is named by several: `POST /pets`.
    private func isNew(_ operation: Operation) -> Bool {
        guard operation.method == "post", let last = operation.segments.last else { return false }
        return last.singular != last
            && collections.contains(operation.segments.joined(separator: "/"))
    }

    /// The verb of an identifier that says the path and the method, and no more, as tools write
    /// it: `GetPetsPetIdOwners` or `pets_post_by_id_feed`.
    private func verb(of identifier: String, thatRestates operation: Operation) -> String? {
        let words = identifier.words.map { $0.lowercased() }
        let segments = operation.segments.withoutVersion
        let path = Set(segments.flatMap(\.words).map { $0.lowercased() })
        let named = Set(
            segments.filter { !$0.hasPrefix("{") }.flatMap(\.words).map { $0.lowercased() })
        guard operation.path.contains("{"), !named.isEmpty, let first = words.first,
            named.isSubset(of: words), beginning(of: identifier, before: operation) == nil
        else { return nil }
        let own = Verbs.methods[first]?.contains(operation.method) == true ? first : nil
        let rest = own == nil ? words : Array(words.dropFirst())
        guard own != nil || words.contains(operation.method),
            rest.contains(where: { !named.contains($0) && $0 != operation.method }),
            rest.allSatisfy({ path.contains($0) || ["by", operation.method].contains($0) })
        else { return nil }
        return own ?? operation.method
    }

    /// The verb and the path without its values: `GET /pets/{id}/owners` is `GetPetOwners`.
    private func short(_ verb: String, _ operation: Operation, _ isMany: Bool) -> String {
        let segments = operation.segments.withoutVersion
        var words: [String] = []
        for (index, segment) in segments.enumerated() {
            let next = index + 1 < segments.count ? segments[index + 1] : ""
            let text = segment.withoutValues
            guard !text.words.isEmpty else { continue }
            let name = text.lowercased() == operation.tag.lowercased() ? operation.tag : text
            let isOne = next.hasPrefix("{") || verb == "create" && index == segments.count - 1
            words.append(isOne ? name.singular : name)
        }
        if isMany, let last = words.popLast() { words.append(last.plural) }
        guard !words.isEmpty else { return "" }
        return ([verb] + words).joined(separator: " ").upperCamel
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
        guard let name = beginning(of: identifier, before: operation) else {
            return withoutOtherPath(identifier, operation)
        }
        // A function that is only a verb, of what the path says: `create` at `/pets`.
        if Verbs.all.contains(name), !operation.segments.contains(name) {
            return short(name, operation, isOfMany(operation))
        }
        // A function that is named by what it returns: `events` at `/events`.
        guard operation.method == "get", let first = name.words.first?.lowercased(),
            !Verbs.all.contains(first),
            operation.segments.flatMap(\.words).contains(where: {
                $0.lowercased().singular == first.singular
            })
        else { return name.upperCamel }
        return "get \(name)".upperCamel
    }

    /// A function of FastAPI's with what its path says more, to tell it from another one of its
    /// name: `list_users` at `/auth/users` is `ListAuthUsers`.
    private func withOwnPath(_ identifier: String, _ operation: Operation) -> String? {
        let words = beginning(of: identifier, before: operation)?.words ?? []
        guard words.count > 1, Verbs.all.contains(words[0].lowercased()) else { return nil }
        let known = Set(words.map { $0.lowercased().singular })
        let segments = operation.segments.withoutVersion
        let others = segments.indices.compactMap { index -> String? in
            // `thumbnail.jpg` is another one than `thumbnail.webp` by what is after the dot.
            let text = segments[index].split(separator: ".").last.map(String.init) ?? ""
            let own = text.words.map { $0.lowercased().singular }
            guard !text.hasPrefix("{"), !Verbs.all.contains(text), !known.isSuperset(of: own)
            else { return nil }
            let isOne = segments.dropFirst(index + 1).first?.hasPrefix("{") == true
            return isOne ? text.singular : text
        }
        guard !others.isEmpty else { return nil }
        // `read_queue` at `/work_queues` is `ReadWorkQueue`.
        let (path, rest) = (others.joined(separator: " ").words, words.dropFirst())
        let common = (0...min(path.count, rest.count)).last { count in
            path.suffix(count).map { $0.lowercased().singular }
                == rest.prefix(count).map { $0.lowercased().singular }
        }
        return ([words[0]] + path.dropLast(common ?? 0) + rest).joined(separator: " ").upperCamel
    }

    /// What stands before the path and the method with which an identifier ends; `nil` if it
    /// doesn't end so.
    private func beginning(of identifier: String, before operation: Operation) -> String? {
        let ending =
            operation.path.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" }
            + "_\(operation.method)"
        guard identifier.hasSuffix(String(ending)), identifier.count > ending.count
        else { return nil }
        return String(identifier.dropLast(ending.count))
    }

    /// The function of FastAPI has several paths, and the identifier another one of them:
    /// `get_pets_v1_pets_get`.
    private func withoutOtherPath(_ identifier: String, _ operation: Operation) -> String? {
        let parts = identifier.split(separator: "_").map(String.init)
        guard parts.count > 3, parts.last == operation.method,
            let version = parts.firstIndex(where: \.isVersion), version < parts.count - 2
        else { return nil }
        let name = parts[..<version].filter { $0 != "api" }
        return name.count > 1 ? name.joined(separator: "_").upperCamel : nil
    }

    /// Tools that add the method: `post_startGame`, and `getwishlist` at `/wishlist`.
    private func withoutMethod(_ identifier: String, _ operation: Operation) -> String? {
        let (group, call) = identifier.groupAndCall
        if group == [operation.method], call.count > 1, Verbs.all.contains(call[0]) {
            return call.joined(separator: " ").upperCamel
        }
        guard group.isEmpty, identifier.hasPrefix(operation.method) else { return nil }
        let rest = String(identifier.dropFirst(operation.method.count))
        guard rest.first?.isLowercase == true, operation.segments.contains(rest) else { return nil }
        return "\(operation.method) \(rest)".upperCamel
    }

    /// Django REST framework and TypeSpec write the verb last: `pets_partial_update`, `Pets_read`.
    private func verbFirst(_ identifier: String, _ operation: Operation) -> String? {
        var (group, call) = identifier.groupAndCall
        if group.isEmpty, identifier.isPluralAndVerb {
            (group, call) = (Array(identifier.words.dropLast()), [call.last ?? ""])
        }
        if let last = call.last, call.count == 1, let usual = Verbs.ofLaravel[last],
            group.isEmpty == false
        {
            call = [usual]
        }
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
            } else if verb == "list" {
                words.append((words.popLast() ?? "").plural)
            }
        } else if verb == "create" || operation.segments.last?.hasPrefix("{") == true
            || operation.segments.last?.contains(".") == true
        {
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
        let isMethod = identifier.contains("Controller") || identifier.isOfService
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
    /// The methods of a controller of Laravel's or Rails'.
    static let ofLaravel = ["index": "list", "store": "create", "show": "get"]
    static let ofMany: Set = ["list", "search", "find", "query"]
    static let prepositions: Set = ["by", "for", "in", "of", "with", "from", "to"]
    static let many: Set = ["all", "many", "multiple", "bulk", "batch"]
    static let all: Set<String> = Set(methods.keys).union([
        "accept", "approve", "archive", "assign", "attach", "cancel", "check", "clone", "copy",
        "compare", "count", "decline", "detach", "disable", "download", "enable", "execute",
        "explore", "export", "filter", "handle", "login", "logout", "ping", "preview",
        "proxy", "serve", "show", "stream", "view",
        "deploy", "generate", "import", "invite", "join", "leave", "lock", "move", "pause", "post",
        "publish", "put", "refresh", "resume", "retry", "subscribe", "suspend", "trigger",
        "unlock", "unsubscribe", "unsuspend",
        "recover", "redeem", "register", "reject", "rename", "request", "resend", "reset",
        "restore", "revoke", "rotate", "run",
        "save", "send", "set", "start", "stop", "submit", "sync", "test", "trust", "unassign",
        "upload", "validate", "verify",
    ])
}

extension String {
    /// The parts of `Widgets_listWidgets` or `tags.list`: the words before the last mark, and the
    /// words of the call in small letters.
    fileprivate var groupAndCall: (group: [String], call: [String]) {
        let parts = self.parts
        guard parts.count > 1, !contains("/"), !contains(" "), let last = parts.last else {
            return ([], words.map { $0.lowercased() })
        }
        var group = parts.dropLast().flatMap(\.words)
        if group.count > 1, isOfController || isOfService { group.removeLast() }
        return (group, last.words.map { $0.lowercased() })
    }

    /// Whether a class of NestJS or Java is before the call: `UsersController_findAll`.
    fileprivate var isOfController: Bool { parts.dropLast().last?.words.last == "Controller" }

    /// Whether a service of gRPC is before the call: `PetService_Feed`.
    fileprivate var isOfService: Bool {
        let group = parts.count == 2 ? parts[0] : ""
        return group.first?.isUppercase == true && group.words.count > 1
            && group.words.last == "Service" && parts[1].first?.isUppercase == true
    }

    /// The texts between the marks after which a group and its call are separate.
    fileprivate var parts: [String] {
        split { $0 == "_" || $0 == "." || $0 == "#" }.map(String.init)
    }

    /// Without `api` and the version at the beginning, and without the group that all have:
    /// `v1.pets.list` is `pets.list`.
    fileprivate func withoutBeginning(_ group: [String]) -> String {
        guard let mark = first(where: { $0 == "_" || $0 == "." || $0 == "#" }) else { return self }
        let parts = self.parts
        var rest = parts.drop { $0.lowercased() == "api" || $0.isVersion }
        if !group.isEmpty, rest.starts(with: group) { rest = rest.dropFirst(group.count) }
        return rest.isEmpty || rest.count == parts.count ? self : rest.joined(separator: "\(mark)")
    }

    /// Whether the words are those of several and a verb: `accessTokensCreate`, `pets-list`.
    fileprivate var isPluralAndVerb: Bool {
        let words = self.words
        guard words.count > 1, !contains(where: { $0 == " " || $0 == "/" || $0 == "_" }),
            let noun = words.dropLast().last, let verb = words.last?.lowercased()
        else { return false }
        return noun.singular != noun && Verbs.methods[verb] != nil
            && !Verbs.all.contains(words[0].lowercased())
    }

    /// A segment of a path without what stands in braces.
    fileprivate var withoutValues: String {
        guard contains("{") else { return self }
        return split(separator: "{", omittingEmptySubsequences: false).enumerated().map {
            $0 == 0 ? String($1) : $1.split(separator: "}").dropFirst().joined()
        }.joined(separator: " ")
    }

    /// Whether it names nothing that the path doesn't: a number, a hash as ReadMe writes it, a
    /// route of ASP.NET's, or what Spring Data REST writes: `getItemResource-pet-get`.
    fileprivate var saysNothing: Bool {
        let digits = filter { $0 != "-" }
        let words = withoutNumber.split(separator: "-")
        let kinds = ["Resource", "PropertyReference", "executeSearch"]
        if words.count == 3, let kind = kinds.first(where: words[0].hasSuffix),
            words[0].hasPrefix(words[2]) || kind != "Resource"
        {
            return true
        }
        return contains("/") && contains("{") || digits.allSatisfy(\.isNumber)
            || digits.count >= 16 && digits.allSatisfy(\.isHexDigit)
                && digits.contains(where: \.isNumber)
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
        let rest = drop {
            ["api", "rest"].contains($0.lowercased()) || $0.isVersion || $0.allSatisfy(\.isNumber)
        }
        return rest.isEmpty ? self : Array(rest)
    }
}
