// expect: a File or Data can't be a form field; use .part(…), or format: .base64 for Data

import Endpoints

struct AddPhoto: FlatRequest {
    let title: String
    let photo: File

    #if WRONG
        static let endpoint = Endpoint<AddPhoto>(
            method: .post, path: "photos",
            parameters: [.form("title", path: \.title), .form("photo", path: \.photo)])
    #else
        static let endpoint = Endpoint<AddPhoto>(
            method: .post, path: "photos",
            parameters: [.part("title", path: \.title), .part("photo", path: \.photo)])
    #endif
    typealias Response = Void
}
