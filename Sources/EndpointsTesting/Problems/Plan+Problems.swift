import Endpoints
import Foundation

extension Plan {
    /// What is wrong in the declaration, or probably not meant. Making a request throws the first
    /// error. The others are warnings.
    func problems<Request: RequestType>(of type: Request.Type) -> [FieldError] {
        var problems = Problems()
        problems.check { () throws(FieldError) in try method.check() }
        path.addProblems(to: &problems)
        headers.addProblems(to: &problems)
        query.addValueProblems(to: &problems)
        form.addValueProblems(to: &problems)
        parts.addProblems(to: &problems)
        problems.list += Self.errors(of: body, form, parts)
        addMethodWarning(to: &problems)
        problems.check { () throws(FieldError) in try Self.check(response: Request.Response.self) }
        query.addNameWarnings(to: &problems)
        form.addNameWarnings(to: &problems)
        problems.check { () throws(FieldError) in try headers.checkMultipart(parts, body) }
        if let type = optionalContentType {
            problems.check { () throws(FieldError) in
                let type = try Headers.contentType.checked(type.rawValue)
                try Headers.contentType.checkMediaType(of: type)
            }
        }
        addBodyWarning(Request.Body.self, to: &problems)
        let parameters = query.sources + form.sources + parts.sources
        for (sources, root) in [
            (path.sources, Request.PathComponents.self as Any.Type),
            (parameters, Request.Parameters.self), (headers.sources, Request.HeaderValues.self),
        ] {
            problems.check { () throws(FieldError) in
                try body.checkIsSentOnce(sources, of: root, in: type)
            }
        }
        return problems.list
    }

    private func addMethodWarning(to problems: inout Problems) {
        guard body.isDeclared || sendsForm || !parts.isEmpty, method == .get || method == .head
        else { return }
        problems.list.append(.bodyNotSent(with: method.rawValue))
    }

    private func addBodyWarning(_ type: Any.Type, to problems: inout Problems) {
        guard type == URL.self || type == URL?.self else { return }
        problems.add(
            .body, "is a URL, whose text is sent; to send the file at the URL, use a File")
    }
}

/// The problems of a declaration, in the order in which they are listed.
struct Problems {
    var list: [FieldError] = []

    mutating func add(_ field: EndpointError.Field, _ reason: String) {
        list.append(FieldError(field, reason))
    }

    /// Adds the error that a check throws.
    mutating func check(_ check: () throws(FieldError) -> Void) {
        do throws(FieldError) { try check() } catch { list.append(error) }
    }
}
