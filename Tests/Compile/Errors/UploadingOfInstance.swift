// expect: candidate operates on an instance, not a type

import Endpoints
import EndpointsDurable

struct AddFilm: FlatRequest, ResumableRequest {
    let body: File
    #if WRONG
        let uploading = Resumable.tus
    #else
        static let uploading = Resumable.tus
    #endif
    static let endpoint = Endpoint<Self>(method: .post, path: "files")
    typealias Response = Void
}
