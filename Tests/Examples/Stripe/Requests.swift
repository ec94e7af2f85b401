import Endpoints
import EndpointsFormats
import EndpointsStreams
import Foundation

/// https://docs.stripe.com/api
struct Stripe: EnvironmentType {
    let baseUrl: URL
    let key: Credentials

    var headers: HeaderDictionary<Credentials> { [.authorization: key] }

    static func production(key: String) -> Stripe {
        Stripe(baseUrl: URL(string: "https://api.stripe.com/v1")!, key: .bearer(key))
    }
}

/// What all requests to Stripe share: bodies are forms with names in brackets.
protocol StripeRequest: FlatRequest where Environment == Stripe, ErrorResponse == StripeFailure {}

extension StripeRequest {
    var commonHeaders: HeaderDictionary<String> { ["Stripe-Version": "2025-03-31.basil"] }

    static var bodyEncoder: FormEncoder {
        FormEncoder(
            keyEncodingStrategy: .convertToSnakeCase, dateEncodingStrategy: .secondsSince1970)
    }

    static var responseDecoder: JSONDecoder { .stripe }
    static var errorDecoder: JSONDecoder { .stripe }
}

extension JSONDecoder {
    fileprivate static let stripe: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        return decoder
    }()
}

/// `{"error": {"type": "card_error", "code": "card_declined", "message": "…"}}`
struct StripeFailure: Codable, Sendable {
    struct Reason: Codable, Sendable {
        let type: String
        var code: String?
        var message: String?
    }

    let error: Reason
}

struct Customer: Codable, Sendable, Equatable {
    let id: String
    var email: String?
}

struct CreateCustomer: StripeRequest {
    struct Body: Encodable, Sendable {
        struct Address: Encodable, Sendable {
            let line1: String
            let city: String
            let country: String
        }

        let email: String
        var address: Address?
        var metadata: [String: String] = [:]
    }

    let body: Body
    /// The same for each attempt at the same customer, so that Stripe makes only one.
    let key: UUID

    static let endpoint = Endpoint<CreateCustomer>(
        method: .post, path: "customers", headers: [.idempotencyKey: .field(path: \.key)])
    typealias Response = Customer
}

struct GetCustomer: StripeRequest {
    let id: String

    static let endpoint = Endpoint<GetCustomer>(method: .get, path: "customers/\(path: \.id)")
    typealias Response = Customer
}

struct DeleteCustomer: StripeRequest {
    let id: String

    static let endpoint = Endpoint<DeleteCustomer>(method: .delete, path: "customers/\(path: \.id)")
    typealias Response = Void
}

struct Payment: Codable, Sendable, Equatable {
    let id: String
    let amount: Int
    let currency: String
    let status: String
}

struct CreatePayment: StripeRequest {
    struct Body: Encodable, Sendable {
        struct Methods: Encodable, Sendable {
            var enabled = true
            var allowRedirects = "never"
        }

        let amount: Int
        let currency: String
        let customer: String
        var automaticPaymentMethods = Methods()
        var metadata: [String: String] = [:]
    }

    let body: Body
    let key: UUID

    static let endpoint = Endpoint<CreatePayment>(
        method: .post, path: "payment_intents", headers: [.idempotencyKey: .field(path: \.key)])
    typealias Response = Payment
}

struct ConfirmPayment: StripeRequest {
    struct Body: Encodable, Sendable { let paymentMethod: String }

    let id: String
    let body: Body
    let key: UUID

    static let endpoint = Endpoint<ConfirmPayment>(
        method: .post, path: "payment_intents/\(path: \.id)/confirm",
        headers: [.idempotencyKey: .field(path: \.key)])
    typealias Response = Payment
}

/// The payments of some days, page by page.
struct ListPayments: StripeRequest, PagedRequest {
    struct Created: Encodable, Sendable {
        var gte: Date?
        var lt: Date?
    }

    var created: Created?
    var customer: String?
    var startingAfter: String?

    static let endpoint = Endpoint<ListPayments>(
        method: .get, path: "payment_intents",
        parameters: [
            .query("created", path: \.created, encoding: .brackets(by: bodyEncoder)),
            .query("customer", path: \.customer),
            .query("starting_after", path: \.startingAfter),
        ])
    static let paging = Paging<ListPayments>.cursor(\.startingAfter) { page in
        page.hasMore ? page.data.last?.id : nil
    }
    static func items(in page: Response) -> [Payment] { page.data }

    struct Response: Codable, Sendable {
        let data: [Payment]
        let hasMore: Bool
    }
}
