import Endpoints
import Foundation
import Testing

/// Properties of every path.
@Suite struct PathInvariantTests {
    private enum Piece {
        case literal(String)
        case value(String?, includesSlash: Bool)
    }

    private static let literals = [
        "/", "a", "a/", "/a", "/a/", ".", "/.", "..", "%2e", "%", "b c", "2e",
    ]
    private static let values = ["", ".", "..", "v", "/", "%2e", "w x", "e"]

    private static func piece(using generator: inout SplitMix64) -> Piece {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0...2: .literal(literals.randomElement(using: &generator) ?? "")
        case 3: .value(nil, includesSlash: .random(using: &generator))
        default:
            .value(
                values.randomElement(using: &generator),
                includesSlash: Int.random(in: 0..<4, using: &generator) > 0)
        }
    }

    private static func template(_ pieces: [Piece]) -> PathTemplate<[String?]> {
        let interpolation = PathTemplate<[String?]>.StringInterpolation(
            literalCapacity: 0, interpolationCount: pieces.count)
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let text):
                interpolation.appendLiteral(text)
            case .value(_, let includesSlash):
                interpolation.appendInterpolation(path: \.[index], includesSlash: includesSlash)
            }
        }
        return PathTemplate(stringInterpolation: interpolation)
    }

    /// The path of some pieces, with a base URL without a path; `nil` if it is refused.
    private static func path(of pieces: [Piece]) -> String? {
        let values = pieces.map { piece in
            if case .value(let value, _) = piece { value } else { nil as String? }
        }
        return try? EndpointsTests.path(template(pieces), of: values)
    }

    @Test("4,000 random paths keep their text, and their values begin segments")
    func random() {
        var generator = SplitMix64(seed: 0xBAD5EED)
        var accepted = 0
        for _ in 0..<4_000 {
            let pieces = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                Self.piece(using: &generator)
            }
            guard let path = Self.path(of: pieces) else {
                if Self.isHarmless(pieces) { Issue.record("\(pieces) is refused") }
                continue
            }
            accepted += 1
            if let failure = Self.failure(of: path, from: pieces) {
                Issue.record("\(failure): \(pieces) makes \(path)")
            }
        }
        #expect(accepted > 1_000)
    }

    /// Whether a path has no dots, no empty values and no slashes in its literals, so that it must
    /// not be refused.
    private static func isHarmless(_ pieces: [Piece]) -> Bool {
        pieces.allSatisfy { piece in
            switch piece {
            case .literal(let text): ["a", "b c", "%", "2e"].contains(text)
            case .value(let value, _): value.map { ["v", "w x", "/", "%2e"].contains($0) } ?? true
            }
        }
    }

    private static func failure(of path: String, from pieces: [Piece]) -> String? {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for segment in segments.dropLast(segments.last == "" ? 1 : 0) {
            let dots = segment.replacingOccurrences(of: "%2e", with: ".", options: .caseInsensitive)
            if ["", ".", ".."].contains(dots) { return "a segment is empty or dots" }
        }
        let text = pieces.map { piece in
            switch piece {
            case .literal("%"): "%25"
            case .literal(let text):
                text.replacingOccurrences(of: "/", with: "")
                    .replacingOccurrences(of: " ", with: "%20")
            case .value(let value, _): escaped(value ?? "")
            }
        }
        if path.replacingOccurrences(of: "/", with: "") != text.joined() {
            return "the text is another"
        }
        for case .value(let value?, includesSlash: true) in pieces
        where !value.isEmpty && !path.contains("/" + escaped(value)) {
            return "a value begins no segment"
        }
        return nil
    }

    private static func escaped(_ value: String) -> String {
        value.replacingOccurrences(of: "%", with: "%25").replacingOccurrences(of: "/", with: "%2F")
            .replacingOccurrences(of: " ", with: "%20")
    }
}
