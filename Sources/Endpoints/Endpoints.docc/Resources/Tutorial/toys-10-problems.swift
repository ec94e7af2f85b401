import Endpoints
import EndpointsTesting
import Testing

@testable import Toys

struct ShopTests {
    let stub = StubTransport()
    var shop: Shop {
        Shop(client: EndpointClient(stub, in: .production))
    }

    @Test("A search shows the toys that the server finds")
    func search() async throws {
        stub.on(ListToys.self, .value([Toy(id: 1, name: "kite")]))
        #expect(try await shop.toys(matching: "ki").first?.id == 1)
        #expect(stub.sent(ListToys.self).first?.search == "ki")
    }

    @Test("The server's words say why a toy isn't added")
    func refusal() async {
        stub.on(AddToy.self, .error(409, ShopError(message: "taken")))
        let words = await shop.add("kite", by: .bearer("t0k3n"))
        #expect(words == "refused: taken")
    }

    @Test("The declarations have no problem")
    func declarations() {
        #expect(GetToy(id: 1).problems.isEmpty)
        #expect(ListToys(search: "a").problems.isEmpty)
        #expect(
            AddToy(body: NewToy(name: "kite"), credentials: .bearer("t"))
                .problems.isEmpty)
    }
}
