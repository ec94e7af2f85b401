import Foundation
import Testing

/// The seed's examples.
@Suite struct SeedTests {
    @Test("nothing") func nothing() {}
}
