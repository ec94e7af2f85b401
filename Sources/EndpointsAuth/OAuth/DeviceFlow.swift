import Endpoints
import EndpointsMiddleware
import Foundation

/// What a person needs to sign in on another device (RFC 8628, section 3.2).
///
/// The descriptions don't show the code.
public struct OAuthDeviceCode: Hashable, Sendable {
    /// The code that the person enters at ``verificationURI``: at most 100 bytes, without control
    /// characters.
    public let userCode: String
    /// The page at which the code is entered, with http or https.
    public let verificationURI: URL
    /// The page with the code in its URL, for a link or a QR code; `nil` if the server has none.
    public let verificationURIComplete: URL?
    /// When the code expires.
    public let expires: Date
}

extension OAuthDeviceCode: CustomStringConvertible, CustomReflectable {
    /// `OAuthDeviceCode(not shown)`, without the code and the page.
    public var description: String { "OAuthDeviceCode(not shown)" }
    /// No children, because `dump(_:)` would print the code.
    public var customMirror: Mirror { .hidden(self) }
}

/// A response of a URL for devices (RFC 8628, section 3.2).
struct DeviceAuthorizationResponse: Decodable, Sendable, RefusingResponse {
    var deviceCode: String?
    var userCode: String?
    var uri: URL?
    var completeURI: URL?
    var life: TimeInterval?
    var interval: TimeInterval?
    var error: OAuthError?

    private enum Key: String, CodingKey {
        case error, interval
        case deviceCode = "device_code"
        case userCode = "user_code"
        case uri = "verification_uri"
        // Google's name of it.
        case url = "verification_url"
        case completeURI = "verification_uri_complete"
        case life = "expires_in"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        if fields.hasValue(.error) { error = try OAuthError(from: decoder) }
        deviceCode = try fields.decodeIfPresent(String.self, forKey: .deviceCode)
        userCode = try fields.decodeIfPresent(String.self, forKey: .userCode)
        func page(_ key: Key) -> URL? {
            guard let text = try? fields.decode(String.self, forKey: key),
                let url = URL(string: text), Origin(of: url) != nil
            else { return nil }
            return url
        }
        uri = page(.uri) ?? page(.url)
        completeURI = page(.completeURI)
        life = fields.seconds(.life)
        interval = fields.seconds(.interval)
    }
}

private let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

extension OAuthFlow {
    /// A sign-in on another device, for a program without a browser (RFC 8628).
    ///
    ///     try await gitHub.signIn(.device { code in print(code.verificationURI, code.userCode) })
    ///
    /// After the function has returned, the server is asked every few seconds, as often as it
    /// allows, until the person has entered the code. Cancelling the task ends that. If a request
    /// fails, the next one comes after twice the time.
    /// - Parameter show: Shows the code and the page to the person, and returns without waiting.
    /// - Throws: An ``OAuthError``: ``OAuthError/Code/accessDenied`` if the person says no,
    ///   ``OAuthError/Code/expiredToken`` if nobody has entered the code in time.
    public static func device(
        _ show: @escaping @Sendable (OAuthDeviceCode) async throws -> Void
    ) -> OAuthFlow {
        OAuthFlow { context in
            let url = try context.caller.server.url(
                \.deviceAuthorizationURL, "deviceAuthorizationURL")
            let context = try await context.registered(for: nil, grant: deviceGrant)
            let caller = context.caller
            let response = try await caller.send(
                DeviceAuthorizationRequest.self, to: url,
                [context.scope] + context.resources.fields)
            guard let deviceCode = response.deviceCode,
                let userCode = response.userCode, userCode.isShowable, let uri = response.uri
            else {
                throw OAuthError(
                    .unknown,
                    because: """
                        the authorization server's response has no `device_code`, `user_code` that \
                        can be shown, or http `verification_uri`; check its `deviceAuthorizationURL`
                        """)
            }
            let life = response.life ?? 1800
            try await show(
                OAuthDeviceCode(
                    userCode: userCode, verificationURI: uri,
                    verificationURIComplete: response.completeURI,
                    expires: caller.clock.date() + life))
            var polling = Polling(
                interval: response.interval ?? 5, life: life, start: caller.clock.uptime())
            return try await polling.token(for: deviceCode, caller)
        }
    }
}

extension String {
    /// Whether a program may print this, and a person type it: a terminal would carry out control
    /// characters.
    fileprivate var isShowable: Bool {
        (1...100).contains(utf8.count)
            && unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
    }
}

extension Error {
    /// Whether the next request may be answered: after a lost connection, a 5xx and a 429.
    fileprivate var mayPass: Bool {
        let status = (self as? EndpointTaskError<OAuthError>)?.httpResponse?.statusCode ?? 0
        return status >= 500 || status == 429 || (self as? any TransientError)?.isTransient == true
    }
}

/// Asks a server for a token until somebody has entered a code (RFC 8628, section 3.4).
private struct Polling {
    /// The seconds between two requests.
    var interval: TimeInterval
    let life: TimeInterval
    let start: TimeInterval
    /// The seconds that were waited, if the clock stands still meanwhile.
    private var waited: TimeInterval = 0

    init(interval: TimeInterval, life: TimeInterval, start: TimeInterval) {
        self.interval = max(1, interval)
        self.life = life
        self.start = start
    }

    mutating func token(
        for deviceCode: String, _ caller: OAuthCaller
    ) async throws -> TokenResponse {
        while true {
            let left = life - max(waited, caller.clock.uptime() - start)
            guard interval <= left else {
                if left > 0 { try await caller.clock.sleep(left) }
                throw OAuthError(.expiredToken)
            }
            try await caller.clock.sleep(interval)
            waited += interval
            do {
                return try await caller.token([
                    ("grant_type", deviceGrant),
                    ("device_code", deviceCode),
                ])
            } catch let error as OAuthError where error.code == .authorizationPending {
                continue
            } catch let error as OAuthError where error.code == .slowDown {
                interval += 5
            } catch {
                try Task.checkCancellation()
                guard !(error is OAuthError), error.mayPass else { throw error }
                // RFC 8628, section 3.5.
                interval *= 2
            }
        }
    }
}
