import Foundation

func send() async throws {
    Recorder.answers = [(200, #"[{"id": 7}]"#), (200, #"{"id": 8}"#)]
    let server = ServerEnvironment(baseUrl: URL(string: "https://api.example.com/v1")!)
    let client = EndpointClient(URLSession.shared, in: server)
    Main.got(try await client(GroupMembers(group: 7, sort: .desc, options: ["page": "2"]))[0].id)
    let photo = File(Data("png".utf8), name: "me.png", contentType: "image/png")
    Main.got(try await client(UpdateProfile(photo: photo, description: "me")).id)
}
