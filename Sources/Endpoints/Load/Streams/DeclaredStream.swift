/// The type of a ``RequestType/Response`` that is a stream, or a ``WithHTTPResponse`` of a stream.
package struct DeclaredStream {
    private let stream: any StreamedResponse.Type
    private let carrier: (any HTTPResponseCarrier.Type)?

    /// `nil` if the type isn't that of a stream, so that the response is read whole.
    package init?(_ type: Any.Type) {
        carrier = type as? any HTTPResponseCarrier.Type
        guard let stream = (carrier?.valueType ?? type) as? any StreamedResponse.Type
        else { return nil }
        self.stream = stream
    }

    /// The stream of a response, as a value of the request's ``RequestType/Response`` type.
    func value(_ response: ArrivingResponse) throws -> Any {
        let value: Any = try stream.init(response)
        return carrier?.carrying(value, response.httpResponse) ?? value
    }
}
