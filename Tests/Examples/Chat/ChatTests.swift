import Endpoints
import EndpointsTesting
import Foundation
import Testing

@Suite("Chat")
@MainActor struct ChatTests {
    let stub = StubTransport()
    var api: EndpointClient<ChatServer> { EndpointClient(stub, in: .openAI(key: "k3y")) }

    /// The bytes of a reply, as the server sends them.
    func events(_ texts: String...) -> [Data] {
        texts.map { text in
            Data((#"data: {"choices": [{"delta": {"content": "\#(text)"}}]}"# + "\n\n").utf8)
        }
    }

    @Test("No declaration of the chat's requests has a problem")
    func declarations() {
        #expect(
            problems(
                of: ListModels.self, Complete.self, StreamCompletion.self, Embed.self,
                ListFiles.self, GetFileContent.self, DeleteFile.self
            ).isEmpty)
    }

    @Test("A reply grows piece by piece until the server says that it is done")
    func reply() async {
        stub.on(
            StreamCompletion.self,
            .chunks(
                events("Hel", "lo.") + [Data("data: [DONE]\n\n".utf8)],
                headers: ["Content-Type": "text/event-stream"]))
        let conversation = Conversation(api, model: "small")
        await conversation.ask("Hi?")
        #expect(
            conversation.messages == [
                Message(role: .user, content: "Hi?"), Message(role: .assistant, content: "Hello."),
            ])
        #expect(conversation.failure == nil && !conversation.isReplying)
        #expect(stub.sent(StreamCompletion.self).map(\.body.messages.count) == [1])
    }

    @Test("A failure is shown, whether it comes in place of the reply or in the middle of it")
    func failures() async {
        let json = #"{"error": {"message": "overloaded", "type": "server_error"}}"#
        stub.on(
            StreamCompletion.self, .json(json),
            .chunks(
                events("Hel") + [Data("data: \(json)\n\n".utf8)],
                headers: ["Content-Type": "text/event-stream"]))
        for text in ["", "Hel"] {
            let conversation = Conversation(api, model: "small")
            await conversation.ask("Hi?")
            #expect(conversation.failure == "overloaded")
            #expect(conversation.messages.last?.content == text)
        }
    }

    @Test("The request of a streamed reply asks for events")
    func request() throws {
        let request = StreamCompletion(
            body: .init(model: "small", messages: [Message(role: .user, content: "Hi?")]))
        #expect(
            try request.snapshot(in: .openAI(key: "k3y")) == """
                POST https://api.openai.com/v1/chat/completions
                Accept: text/event-stream
                Authorization: …
                Cache-Control: no-store
                Content-Type: application/json

                {
                  "messages" : [
                    {
                      "content" : "Hi?",
                      "role" : "user"
                    }
                  ],
                  "model" : "small",
                  "stream" : true
                }
                """)
    }

    @Test("The server's refusal is shown in its own words")
    func refused() async {
        stub.on(
            StreamCompletion.self,
            .error(
                429, ChatFailure(error: .init(message: "Slow down.", type: "rate_limit_error"))))
        let conversation = Conversation(api, model: "small")
        await conversation.ask("Hi?")
        #expect(conversation.failure == "Slow down.")
    }

    @Test("What arrived of a reply that is cut off stays")
    func cutOff() async {
        stub.on(
            StreamCompletion.self,
            .chunks(
                events("Hel") + [Data("data: {\n\n".utf8)],
                headers: ["Content-Type": "text/event-stream"]))
        let conversation = Conversation(api, model: "small")
        await conversation.ask("Hi?")
        #expect(conversation.messages.last?.content == "Hel")
        #expect(conversation.failure?.hasPrefix("The reply was cut off.") == true)
    }

    /// A reply of one piece, in which its reader is then cancelled.
    struct Stopped: Transport {
        let chunks: [Data]

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let stub = StubTransport()
            stub.on(
                StreamCompletion.self,
                .chunks([], headers: ["Content-Type": "text/event-stream"]))
            var response = try await stub.send(request)
            let (more, continuation) = AsyncStream<Data>.makeStream()
            for chunk in chunks { continuation.yield(chunk) }
            response.body = ResponseBody {
                var iterator = more.makeAsyncIterator()
                if let chunk = await iterator.next(isolation: nil), !chunk.isEmpty { return chunk }
                withUnsafeCurrentTask { $0?.cancel() }
                throw URLError(.cancelled)
            }
            return response
        }
    }

    @Test(
        "A reply that the user stops isn't a failure, before its first piece or after it",
        arguments: [[], ["Hel"]])
    func stopped(pieces: [String]) async {
        let chunks = pieces.flatMap { events($0) } + [Data()]
        let api = EndpointClient(Stopped(chunks: chunks), in: ChatServer.openAI(key: "k3y"))
        let conversation = Conversation(api, model: "small")
        await Task { await conversation.ask("Hi?") }.value
        #expect(conversation.failure == nil && !conversation.isReplying)
        #expect(conversation.messages.last?.content == pieces.joined())
    }

    @Test("A reply that is stopped before it is sent isn't a failure")
    func stoppedAtOnce() async {
        stub.on(StreamCompletion.self, .status(500))
        let conversation = Conversation(api, model: "small")
        let task = Task { await conversation.ask("Hi?") }
        task.cancel()
        await task.value
        #expect(conversation.failure == nil && !conversation.isReplying)
    }

    @Test("A file of messages is read line by line")
    func file() async throws {
        let lines =
            #"{"role": "user", "content": "a"}"# + "\n" + #"{"role": "assistant", "content": "b"}"#
        stub.on(GetFileContent.self, .data(Data(lines.utf8)))
        var contents: [String] = []
        for try await message in try await api(GetFileContent(id: "f")) {
            contents.append(message.content)
        }
        #expect(contents == ["a", "b"])
    }
}
