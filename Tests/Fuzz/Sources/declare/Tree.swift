import Endpoints
import EndpointsFormats

/// A nested value, as JSON has it.
enum Tree: Sendable {
    case null
    case flag(Bool)
    case number(Int)
    case text(String)
    case list([Tree])
    case map([String: Tree])

    /// The encoder whose lists are written so.
    static func encoder(_ arrays: String) -> FormEncoder {
        switch arrays {
        case "indices": FormEncoder(arrayEncodingStrategy: .indices)
        case "repeated": FormEncoder(arrayEncodingStrategy: .repeated)
        default: FormEncoder()
        }
    }
}

extension Tree: Codable {
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Int.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([Tree].self) {
            self = .list(list)
        } else {
            self = .map(try value.decode([String: Tree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .flag(let flag): try value.encode(flag)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .map(let map): try value.encode(map)
        }
    }
}
