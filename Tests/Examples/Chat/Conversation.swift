import Endpoints
import EndpointsStreams
import Foundation
import Observation

/// A conversation with a model, for a view: the last message grows while it arrives.
@MainActor @Observable
final class Conversation {
    private(set) var messages: [Message] = []
    private(set) var isReplying = false
    private(set) var failure: String?

    private let api: EndpointClient<ChatServer>
    private let model: String

    init(_ api: EndpointClient<ChatServer>, model: String) {
        self.api = api
        self.model = model
    }

    func ask(_ question: String) async {
        messages.append(Message(role: .user, content: question))
        let request = StreamCompletion(body: .init(model: model, messages: messages))
        messages.append(Message(role: .assistant, content: ""))
        (isReplying, failure) = (true, nil)
        defer { isReplying = false }
        do {
            let pieces = try await api(request).ending(at: "[DONE]")
            for try await piece in pieces {
                messages[messages.count - 1].content += piece.text
                if let error = piece.error { return failure = error.message }
            }
        } catch StreamCompletion.TaskError.cancelled, StreamError.cancelled {
            // The user has stopped the reply. What arrived stays.
        } catch StreamCompletion.TaskError.errorResponse(_, let refusal) {
            failure = refusal.error.message
        } catch let error as StreamCompletion.TaskError {
            failure = error.localizedDescription
        } catch {
            failure = "The reply was cut off. \(error.localizedDescription)"
        }
    }
}
