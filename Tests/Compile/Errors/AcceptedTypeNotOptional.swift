// expect: protocol requires property 'acceptedType' with type 'MIMEType?'

import Endpoints

struct Picture: AcceptingResponse {
    #if WRONG
        static var acceptedType: MIMEType { "image/png" }
    #else
        static var acceptedType: MIMEType? { "image/png" }
    #endif
}
