import Endpoints
import Foundation

struct GroupMembers: FlatRequest, Sendable {
    let group: Int
    let sort: Sort?
    let options: [String: String]

    static let endpoint = Endpoint<Self>(
        method: .get, path: "group/\(path: \.group)/users",
        parameters: [.query("sort", path: \.sort), .query(contentsOf: \.options)],
        headers: [.cacheControl: "max-age=640000"])
    typealias Response = [Member]

    enum Sort: String, PathRepresentable { case asc, desc }
}

struct UpdateProfile: FlatRequest, Sendable {
    let photo: File
    let description: String

    static let endpoint = Endpoint<Self>(
        method: .put, path: "user/photo",
        parameters: [
            .part("photo", path: \.photo), .part("description", path: \.description),
        ])
    typealias Response = Member
}
