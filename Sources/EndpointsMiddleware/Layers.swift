import Endpoints
import EndpointsShared

extension Authorized: Layer {
    var inner: any Transport { base }
}

extension Coalesced: Layer {
    var inner: any Transport { base }
}

extension Limited: Layer {
    var inner: any Transport { base }
}

extension Logged: Layer {
    var inner: any Transport { base }
}

extension Paced: Layer {
    var inner: any Transport { base }
}

extension Retrying: Layer {
    var inner: any Transport { base }
}
