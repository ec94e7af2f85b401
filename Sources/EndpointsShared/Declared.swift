import Endpoints

extension DeclaredParameter {
    /// Whether the names are known only at run time.
    package var isContents: Bool { kind == .queryItems || kind == .formItems }
}

extension Declaration {
    /// The declared headers, each once, as it is declared last.
    package var sentHeaders: [(name: Headers, source: ValueSource)] {
        var sent: [(name: Headers, source: ValueSource)] = []
        for header in headers {
            if let index = sent.firstIndex(where: { $0.name == header.name }) {
                sent[index] = header
            } else {
                sent.append(header)
            }
        }
        return sent
    }
}
