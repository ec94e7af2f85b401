import Endpoints
import Foundation

/// The names of request types, which Swift would make anew each time.
enum TypeNames {
    private static let names = Locked<[ObjectIdentifier: String]>([:])

    static func name(of type: any RequestType.Type) -> String {
        names.withLock { names in
            if let name = names[ObjectIdentifier(type)] { return name }
            var name = String(reflecting: type)
            // The name of a private type has an address, which another launch doesn't have.
            while let start = name.range(of: "(unknown context at $"),
                let end = name.range(of: ").", range: start.upperBound..<name.endIndex)
            {
                name.removeSubrange(start.lowerBound..<end.upperBound)
            }
            names[ObjectIdentifier(type)] = name
            return name
        }
    }
}
