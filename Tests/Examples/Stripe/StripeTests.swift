import Endpoints
import EndpointsMiddleware
import EndpointsStreams
import EndpointsTesting
import Foundation
import Testing

@Suite("Stripe")
@MainActor struct StripeTests {
    let stub = StubTransport()
    var api: EndpointClient<Stripe> {
        EndpointClient(stub.retrying(), in: .production(key: "sk_test"))
    }
    let payment = Payment(id: "pi_1", amount: 999, currency: "eur", status: "succeeded")

    @Test("No declaration of Stripe's requests has a problem")
    func declarations() {
        #expect(
            problems(
                of: CreateCustomer.self, GetCustomer.self, DeleteCustomer.self, CreatePayment.self,
                ConfirmPayment.self, ListPayments.self
            ).isEmpty)
    }

    @Test("A nested body is a form with brackets, and the key is no part of a snapshot")
    func customer() throws {
        let key = try #require(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
        let request = CreateCustomer(
            body: .init(
                email: "ann@example.com",
                address: .init(line1: "1 Sea Street", city: "Köln", country: "DE"),
                metadata: ["order": "42"]), key: key)
        #expect(
            try request.snapshot(in: .production(key: "sk_test")) == """
                POST https://api.stripe.com/v1/customers
                Accept: application/json
                Authorization: …
                Content-Type: application/x-www-form-urlencoded
                Idempotency-Key: 01234567-89AB-CDEF-0123-456789ABCDEF
                Stripe-Version: 2025-03-31.basil

                email=ann%40example.com
                address%5Bline1%5D=1+Sea+Street
                address%5Bcity%5D=K%C3%B6ln
                address%5Bcountry%5D=DE
                metadata%5Border%5D=42
                """)
    }

    @Test("A payment that is tried again after a lost response has the same key")
    func idempotency() async {
        stub.on(CreatePayment.self, .throwing(URLError(.networkConnectionLost)), .value(payment))
        stub.on(ConfirmPayment.self, .value(payment))
        let checkout = Checkout(api, customer: "cus_1")
        await checkout.pay(999, "eur", with: "pm_card")
        #expect(checkout.state == .paid(payment))
        let keys = stub.sent(CreatePayment.self).map(\.key)
        #expect(keys.count == 2 && keys[0] == keys[1])
    }

    @Test("The card's refusal is shown in Stripe's words")
    func declined() async {
        stub.on(CreatePayment.self, .value(payment))
        stub.on(
            ConfirmPayment.self,
            .error(
                402,
                StripeFailure(
                    error: .init(
                        type: "card_error", code: "card_declined",
                        message: "Your card was declined."))))
        let checkout = Checkout(api, customer: "cus_1")
        await checkout.pay(999, "eur", with: "pm_card")
        #expect(checkout.state == .failed("Your card was declined."))
    }

    @Test("The payments of a day come page by page, after the last one of the page before")
    func pages() async throws {
        stub.on(
            ListPayments.self, .value(.init(data: [payment], hasMore: true)),
            .value(.init(data: [], hasMore: false)))
        let day = ListPayments.Created(
            gte: Date(timeIntervalSince1970: 0), lt: Date(timeIntervalSince1970: 86400))
        var ids: [String] = []
        for try await payment in api.items(of: ListPayments(created: day)) {
            ids.append(payment.id)
        }
        #expect(ids == ["pi_1"])
        #expect(
            stub.sent.map { $0.urlRequest.url?.query ?? "" } == [
                "created%5Bgte%5D=0&created%5Blt%5D=86400",
                "created%5Bgte%5D=0&created%5Blt%5D=86400&starting_after=pi_1",
            ])
    }
}
