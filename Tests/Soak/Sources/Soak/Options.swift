/// What the command line asks for.
struct Options {
    enum What: String {
        case load
        case race
        case limits
        case sessions
        case exit
    }

    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    var what = What.load
    var requests = 50_000
    var inFlight = 500
    var seconds = 1800.0
    var seed = UInt64.random(in: 0...9_999_999)
    /// Whether `sessions` loads with `URLSession` alone.
    var isPlain = false
    /// How `exit` leaves its loads.
    var way = Leaving.Way.left
    /// Sanitizers keep memory of their own.
    var measuresMemory = true

    init(_ arguments: [String]) throws {
        var arguments = arguments.dropFirst()
        if let what = arguments.first.flatMap(What.init) {
            self.what = what
            arguments.removeFirst()
        }
        while let option = arguments.popFirst() {
            switch option {
            case "--requests": requests = try Self.number(arguments.popFirst(), of: option)
            case "--in-flight": inFlight = try Self.number(arguments.popFirst(), of: option)
            case "--seconds": seconds = try Self.number(arguments.popFirst(), of: option)
            case "--seed": seed = try Self.number(arguments.popFirst(), of: option)
            case "--way": way = try Self.way(arguments.popFirst())
            case "--plain": isPlain = true
            case "--any-memory": measuresMemory = false
            default: throw Problem(description: "there is no option \(option)")
            }
        }
    }

    private static func way(_ name: String?) throws -> Leaving.Way {
        guard let way = name.flatMap(Leaving.Way.init) else {
            let names = Leaving.Way.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(description: "--way takes one of \(names)")
        }
        return way
    }

    private static func number<Number: LosslessStringConvertible>(
        _ text: String?, of option: String
    ) throws -> Number {
        guard let number = text.flatMap(Number.init) else {
            throw Problem(description: "\(option) takes a number")
        }
        return number
    }
}
