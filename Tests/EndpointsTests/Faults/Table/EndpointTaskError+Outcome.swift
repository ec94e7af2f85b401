import Endpoints

extension EndpointTaskError<Fault.Problem> {
    /// This error as the table writes it.
    var outcome: Fault.Outcome {
        switch self {
        case .errorResponse(_, let response):
            Fault.Outcome(ending: ending, text: "\(sentence): \(response.error.prefix(20))")
        default:
            Fault.Outcome(ending: ending, text: sentence)
        }
    }
}

extension EndpointTaskError {
    /// The description, without the name of the request where that says nothing of the fault.
    var sentence: String {
        switch self {
        case .endpointError, .errorResponseParseError, .responseParseError: return description
        default:
            guard let colon = description.firstRange(of: ": the ") else { return description }
            return "The " + description[colon.upperBound...]
        }
    }

    /// The name of the case.
    var ending: String {
        switch self {
        case .endpointError: "endpointError"
        case .urlLoadError: "urlLoadError"
        case .internetConnectionOffline: "internetConnectionOffline"
        case .transportError: "transportError"
        case .fileError: "fileError"
        case .cancelled: "cancelled"
        case .unexpectedResponse: "unexpectedResponse"
        case .errorResponse: "errorResponse"
        case .errorResponseParseError: "errorResponseParseError"
        case .responseParseError: "responseParseError"
        }
    }
}
