import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Cached {
    /// Asks the server, and stores what it says.
    func load(_ call: CacheCall, _ found: Found) async throws -> TransportResponse {
        let start = clock.uptime()
        let conditional = conditional(call, found)
        let type = TypeNames.name(of: call.request.requestType)
        let number = shelf.begin(call, type)
        defer { shelf.end(number) }
        do {
            let response = try await load(call, found, sending: conditional, type, number)
            if let response { return response }
        } catch {
            guard let code = error.asURLError?.code, !Self.ownErrors.contains(code),
                let stale = stale(call, found, number)
            else { throw error }
            return stale
        }
        // The server has said that a response is valid which isn't this account's, or isn't stored.
        var request = call.request
        if let limit = request.policy.timeLimit {
            request.policy.timeLimit = limit - (clock.uptime() - start)
        }
        guard !request.policy.leavesNoTime
        else { throw URLError(.timedOut, at: request.urlRequest.url) }
        return try await base.send(request)
    }

    /// The request with the conditions that let the server say that a stored response is valid.
    private func conditional(_ call: CacheCall, _ found: Found) -> TransportRequest {
        var request = call.request
        guard call.directives.policy != .reload else {
            if !call.fields.keys.contains(where: { ResponseFields.areEqual($0, "Cache-Control") }) {
                request.urlRequest.setValue("no-cache", forHTTPHeaderField: "Cache-Control")
            }
            return request
        }
        guard !call.isHead else { return request }
        for (name, value) in found.validators {
            request.urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        return request
    }

    /// `nil` if the request must be sent once more, without conditions.
    private func load(
        _ call: CacheCall, _ found: Found, sending request: TransportRequest, _ type: String,
        _ number: Int
    ) async throws -> TransportResponse? {
        let sent = clock.date()
        var response = try await base.send(request)
        let arrived = clock.date()
        let head = response.httpResponse
        let isValidated = head.statusCode == 304 && !found.validators.isEmpty && !call.isHead
        let isOfAccount = request.account?.id == call.account
        if isValidated, call.directives.policy != .reload {
            guard isOfAccount, let old = found.validated(by: ResponseFields(head)) else {
                return nil
            }
            let fields = ResponseFields(head)
            let vary = fields["Vary"] ?? old.response.fields["Vary"]
            let new = old.response.updated(
                by: fields, sent: sent, arrived: arrived,
                selecting: SelectingFields(vary: vary, of: call.varying))
            store(new, for: call, found, type, number)
            return new.response(.validatedCache, at: arrived, isHead: false)
        }
        if Self.failures.contains(head.statusCode), let stale = stale(call, found, number) {
            return stale
        }
        guard isOfAccount, head.url.map({ $0.isSame(as: call.url) }) ?? true
        else { return response }
        if call.isHead {
            freshen(call, found, ResponseFields(head), head.statusCode, sent, arrived, number)
            return response
        }
        let fields = ResponseFields(head)
        let count = response.body.count
        guard
            Storability.mayStore(
                status: head.statusCode, fields, bodyCount: count ?? .max, to: call.directives)
        else {
            if Storability.outdatesOthers(head.statusCode), !call.directives.forbidsStoring {
                shelf.drop(.variants(of: call.place))
            }
            return response
        }
        let data = try await response.body.data(upTo: request.policy.wholeBodyLimit)
        if count == nil { response.body = ResponseBody(data) }
        guard Storability.isWhole(fields, data.count, head.statusCode) else { return response }
        let new = StoredResponse(
            url: call.url, status: head.statusCode, fields: fields.storable, body: data,
            sent: sent, arrived: arrived,
            selecting: SelectingFields(vary: fields["Vary"], of: call.varying))
        store(new, for: call, found, type, number)
        return response
    }

    /// Stores a response in place of those that the request has selected before, which are older.
    private func store(
        _ new: StoredResponse, for call: CacheCall, _ found: Found, _ type: String, _ number: Int
    ) {
        guard !call.directives.forbidsStoring else { return }
        guard !Storability.isForbidden(new.status, CacheDirectives(new.fields["Cache-Control"]))
        else { return shelf.drop(.variants(of: call.place)) }
        let name = EntryName(place: call.place, type: type, variant: new.selecting.text)
        let older = found.matching.map(\.name)
        shelf.end(number) { $0.store(new, as: name, over: older) }
    }

    /// Updates a stored response by that to a HEAD, or drops it if the HEAD tells that it has
    /// changed (RFC 9111, section 4.3.5).
    private func freshen(
        _ call: CacheCall, _ found: Found, _ fields: ResponseFields, _ status: Int, _ sent: Date,
        _ arrived: Date, _ number: Int
    ) {
        guard status == 200, let old = found.selected, !call.directives.forbidsStoring
        else { return }
        let isSame = ["ETag", "Last-Modified", "Content-Length"].allSatisfy { name in
            fields[name] == nil || old.response.fields[name] == nil
                || fields[name] == old.response.fields[name]
        }
        guard isSame else { return shelf.drop(.entry(old.name)) }
        let new = old.response.updated(by: fields, sent: sent, arrived: arrived)
        guard !Storability.isForbidden(new.status, CacheDirectives(new.fields["Cache-Control"]))
        else { return shelf.drop(.entry(old.name)) }
        shelf.end(number) { $0.store(new, as: old.name, over: []) }
    }

    /// The stale response that is used because the server has failed, if there is one that wasn't
    /// dropped since.
    private func stale(_ call: CacheCall, _ found: Found, _ number: Int) -> TransportResponse? {
        let now = clock.date()
        guard !shelf.isVoid(number), let selected = found.selected,
            call.directives.usesStaleAfterError(selected.response.freshness, at: now)
        else { return nil }
        return selected.response.response(.cache, at: now, isHead: call.isHead)
    }

    /// The errors that aren't those of a server that can't be reached: of the caller, and of a
    /// server that isn't trusted.
    private static var ownErrors: Set<URLError.Code> {
        [
            .cancelled, .badURL, .unsupportedURL, .dataLengthExceedsMaximum,
            .userCancelledAuthentication, .userAuthenticationRequired,
            .appTransportSecurityRequiresSecureConnection, .secureConnectionFailed,
            .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .clientCertificateRejected, .clientCertificateRequired,
        ]
    }

    /// The statuses after which a stale response may be used (RFC 5861, section 4).
    private static var failures: Set<Int> { [500, 502, 503, 504] }
}

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
