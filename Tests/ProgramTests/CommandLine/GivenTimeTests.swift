import Foundation
import Testing

@testable import belfry

@Suite("Times of the past in options")
struct GivenTimeTests {
    private static let now = Date(timeIntervalSince1970: 1_777_885_923)

    @Test(
        "are so long ago, or a date and time",
        arguments: [
            ("90s", "2026-05-04T09:10:33.000Z"), ("15m", "2026-05-04T08:57:03.000Z"),
            ("2h", "2026-05-04T07:12:03.000Z"), ("1d", "2026-05-03T09:12:03.000Z"),
            ("2026-05-04T09:00:00Z", "2026-05-04T09:00:00Z"),
            ("2026-05-04 09:00:00", "2026-05-04 09:00:00"),
        ]
    )
    func read(_ given: String, _ expected: String) throws {
        #expect(try GivenTime.text(given, option: "--since", now: Self.now) == expected)
    }

    @Test("others are refused with what to write", arguments: ["", "nine", "2w", "-5m", "h"])
    func refused(_ given: String) {
        #expect(throws: (any Error).self) {
            try GivenTime.text(given, option: "--since", now: Self.now)
        }
    }
}
