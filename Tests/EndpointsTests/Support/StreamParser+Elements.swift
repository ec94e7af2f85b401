import Foundation

@testable import Endpoints
@testable import EndpointsStreams

extension StreamParser {
    /// The elements of a stream that arrives in chunks of some size.
    mutating func elements(of bytes: some Sequence<UInt8>, chunk: Int) throws -> [Element] {
        let bytes = Array(bytes)
        var elements: [Element] = []
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            append(Data(bytes[start..<min(start + chunk, bytes.count)]))
            while let element = try next() { elements.append(element) }
        }
        if let last = try finish() { elements.append(last) }
        return elements
    }
}
