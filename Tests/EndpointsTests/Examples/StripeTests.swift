import Endpoints
import EndpointsFormats
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// https://docs.stripe.com/api
struct Stripe: EnvironmentType {
    let baseUrl: URL
    static let production = Stripe(baseUrl: URL(string: "https://api.stripe.com/v1")!)
}

protocol StripeRequest: FlatRequest where Environment == Stripe, BodyEncoder == FormEncoder {}

extension StripeRequest {
    static var bodyEncoder: FormEncoder {
        FormEncoder(
            keyEncodingStrategy: .convertToSnakeCase, dateEncodingStrategy: .secondsSince1970)
    }
}

struct CreateCheckoutSession: StripeRequest {
    struct Body: Encodable {
        struct LineItem: Encodable {
            let price: String
            var quantity = 1
        }

        let lineItems: [LineItem]
        let expiresAt: Date
        var paymentMethodTypes = ["card", "link"]
        var allowPromotionCodes = true
        var customer: String?
        var metadata: [String: String] = [:]
    }

    let body: Body

    static let endpoint = Endpoint<CreateCheckoutSession>(method: .post, path: "checkout/sessions")
    typealias Response = Void
}

struct ListCharges: StripeRequest {
    struct Created: Encodable {
        var gte: Date?
        var lt: Date?
    }

    let created: Created?
    var expand = ["data.customer"]

    static let endpoint = Endpoint<ListCharges>(
        method: .get,
        path: "charges",
        parameters: [
            .query("created", path: \.created, encoding: .brackets(by: bodyEncoder)),
            .query("expand", path: \.expand, style: .brackets),
        ])
    typealias Response = Void
}

@Suite("Stripe")
struct StripeTests {
    @Test("A nested Stripe body is a form with indices for objects and brackets for texts")
    func nestedBody() throws {
        let body = CreateCheckoutSession.Body(
            lineItems: [.init(price: "price_1"), .init(price: "price_2", quantity: 3)],
            expiresAt: Date(timeIntervalSince1970: 1_700_000_000),
            metadata: ["orderId": "6735", "gift wrap": "yes"])
        let request = try CreateCheckoutSession(body: body).urlRequest(in: .production)
        let form = [
            "line_items%5B0%5D%5Bprice%5D=price_1", "line_items%5B0%5D%5Bquantity%5D=1",
            "line_items%5B1%5D%5Bprice%5D=price_2", "line_items%5B1%5D%5Bquantity%5D=3",
            "expires_at=1700000000", "payment_method_types%5B%5D=card",
            "payment_method_types%5B%5D=link", "allow_promotion_codes=true",
            "metadata%5Bgift+wrap%5D=yes", "metadata%5BorderId%5D=6735",
        ]
        #expect(
            request.httpBody.map { String(decoding: $0, as: UTF8.self) }
                == form.joined(separator: "&"))
        #expect(
            request.value(forHTTPHeaderField: "Content-Type")
                == "application/x-www-form-urlencoded")
    }

    @Test("A Stripe range is nested in the query")
    func nestedQuery() throws {
        let range = ListCharges.Created(gte: Date(timeIntervalSince1970: 1_700_000_000))
        let request = try ListCharges(created: range).urlRequest(in: .production)
        #expect(
            request.url?.absoluteString
                == "https://api.stripe.com/v1/charges?created%5Bgte%5D=1700000000"
                + "&expand%5B%5D=data.customer")
        let all = try ListCharges(created: nil).urlRequest(in: .production)
        #expect(
            all.url?.absoluteString
                == "https://api.stripe.com/v1/charges?expand%5B%5D=data.customer")
    }
}
