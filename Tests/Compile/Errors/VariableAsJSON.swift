// expect: cannot convert value of type 'Int' to expected dictionary value type 'JSONValue'

import EndpointsFormats

func event(_ count: Int) -> JSONValue {
    #if WRONG
        ["count": count]
    #else
        ["count": .integer(count)]
    #endif
}
