import Endpoints
import Foundation
import Observation

/// A payment of one customer, for a view.
@MainActor @Observable
final class Checkout {
    enum State: Equatable {
        case ready
        case paying
        case paid(Payment)
        case failed(String)
    }

    private(set) var state = State.ready

    private let api: EndpointClient<Stripe>
    private let customer: String
    /// One for each thing that is to happen once, however often the button is pressed.
    private let keys = (create: UUID(), confirm: UUID())

    init(_ api: EndpointClient<Stripe>, customer: String) {
        self.api = api
        self.customer = customer
    }

    func pay(_ amount: Int, _ currency: String, with method: String) async {
        state = .paying
        do throws(CreatePayment.TaskError) {
            let payment = try await api(
                CreatePayment(
                    body: .init(amount: amount, currency: currency, customer: customer),
                    key: keys.create))
            state = .paid(
                try await api(
                    ConfirmPayment(
                        id: payment.id, body: .init(paymentMethod: method), key: keys.confirm)))
        } catch .errorResponse(_, let failure) {
            state = .failed(failure.error.message ?? failure.error.type)
        } catch {
            state = .failed(error.recoverySuggestion ?? error.localizedDescription)
        }
    }
}
