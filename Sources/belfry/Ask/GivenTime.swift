import ArgumentParser
import Foundation
import HubVocabulary

/// A time in the past as an operator writes it: a date and time, or how long ago it was.
enum GivenTime {
    private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]

    /// The time as rows read it.
    ///
    /// - Throws: a `ValidationError` that names the option.
    static func text(_ given: String, option: String, now: Date = Date()) throws -> String {
        if let unit = given.last.flatMap({ units[$0] }), let count = UInt32(given.dropLast()) {
            let time = now.addingTimeInterval(-Double(count) * unit)
            return time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        }
        let bytes = Array(given.utf8)
        guard case .time = TimeText.parse(bytes.span) else {
            throw ValidationError(
                "\(option) '\(given)' is no time; write 90s, 15m, 2h or 1d for so long ago, "
                    + "or 2026-05-04T09:12:00Z."
            )
        }
        return given
    }
}
