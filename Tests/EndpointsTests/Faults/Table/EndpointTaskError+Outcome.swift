import Endpoints

extension EndpointTaskError<Fault.Problem> {
    /// This error as the table writes it.
    var outcome: Fault.Outcome {
        switch self {
        case .errorResponse(_, let response):
            Fault.Outcome(ending: ending, text: "\(description): \(response.error.prefix(20))")
        default:
            Fault.Outcome(ending: ending, text: description)
        }
    }
}

extension EndpointTaskError {
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
