import Endpoints
import EndpointsShared
import Foundation

/// The signature of AWS Signature Version 4 for a moment, a region and a service.
struct AWSSignature: Sendable {
    let credentials: AWSCredentials
    /// The moment, as in `20150830T123600Z`.
    let timestamp: String
    let region: String
    let service: String

    static let algorithm = "AWS4-HMAC-SHA256"

    /// `nil` for a date outside the years 0000 to 9999.
    init?(_ credentials: AWSCredentials, at date: Date, region: String, service: String) {
        let seconds = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        guard let text = try? seconds.pathRepresentation else { return nil }
        timestamp = text.filter { $0 != "-" && $0 != ":" }
        self.credentials = credentials
        self.region = region
        self.service = service
    }

    var scope: String { "\(timestamp.prefix(8))/\(region)/\(service)/aws4_request" }
    var credential: String { "\(credentials.accessKeyID)/\(scope)" }

    func stringToSign(_ request: CanonicalRequest) -> String {
        let digest = SHA256.hash(Array(request.text.utf8)).hex
        return [Self.algorithm, timestamp, scope, digest].joined(separator: "\n")
    }

    /// The signature of a text, as 64 hexadecimal digits.
    func signature(of text: String) -> String {
        SHA256.hmac(Array(text.utf8), key: key).hex
    }

    func authorization(_ request: CanonicalRequest) -> String {
        """
        \(Self.algorithm) Credential=\(credential), SignedHeaders=\(request.signedHeaders), \
        Signature=\(signature(of: stringToSign(request)))
        """
    }

    private var key: [UInt8] {
        let secret = Array("AWS4\(credentials.secretAccessKey)".utf8)
        return [String(timestamp.prefix(8)), region, service, "aws4_request"].reduce(secret) {
            SHA256.hmac(Array($1.utf8), key: $0)
        }
    }
}

extension AWSSignature {
    /// The items of a presigned URL's query, without the signature.
    func queryItems(
        expires seconds: Int, signedHeaders: String, signsSessionToken: Bool
    ) -> [AWSQueryItem] {
        let token = signsSessionToken ? credentials.sessionToken : nil
        return [
            AWSQueryItem("X-Amz-Algorithm", Self.algorithm),
            AWSQueryItem("X-Amz-Credential", credential),
            AWSQueryItem("X-Amz-Date", timestamp),
        ] + (token.map { [AWSQueryItem("X-Amz-Security-Token", $0)] } ?? []) + [
            AWSQueryItem("X-Amz-Expires", "\(seconds)"),
            AWSQueryItem("X-Amz-SignedHeaders", signedHeaders),
        ]
    }
}
