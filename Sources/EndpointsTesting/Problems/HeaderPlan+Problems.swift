import Endpoints

extension HeaderPlan {
    func addProblems(to problems: inout Problems) {
        var seen: Set<Headers> = []
        for name in declaredNames {
            problems.check { () throws(FieldError) in
                try name.check()
                guard ["host", "connection"].contains(name.name.lowercased()) else { return }
                throw FieldError(.header(name.name), "is set by the transport; remove it")
            }
            guard !seen.insert(name).inserted else { continue }
            problems.add(
                .header(name.name), "is declared twice, and only the last one is sent; remove one")
        }
        for (name, source) in declared {
            problems.check { () throws(FieldError) in
                let text = try Self.constantText(of: name, source)
                if let text { try name.checkMediaType(of: text) }
            }
        }
        for (name, text) in defaultTexts {
            problems.check { () throws(FieldError) in
                try Headers(name: name).checkMediaType(of: Headers.checked(text, of: name))
            }
        }
    }
}
