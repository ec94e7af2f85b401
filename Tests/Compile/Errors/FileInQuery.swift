// expect: requires that 'File' conform to 'ParameterRepresentable'

import Endpoints

struct FindPhoto: FlatRequest {
    let photo: File

    #if WRONG
        static let endpoint = Endpoint<FindPhoto>(
            method: .post, path: "photos", parameters: [.query("photo", path: \.photo)])
    #else
        static let endpoint = Endpoint<FindPhoto>(
            method: .post, path: "photos", parameters: [.query("photo", path: \.photo.name)])
    #endif
    typealias Response = Void
}
