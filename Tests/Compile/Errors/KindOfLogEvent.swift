// expect: requires that 'LogEvent.Kind' conform to 'BinaryInteger'

import Endpoints
import EndpointsMiddleware

func logging(_ transport: some Transport) -> some Transport {
    transport.logged { event in
        #if WRONG
            if event.kind != .request { print(event) }
        #else
            if case .request = event.kind { return }
            print(event)
        #endif
    }
}
