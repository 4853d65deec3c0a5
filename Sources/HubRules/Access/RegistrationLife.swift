package import HubVocabulary

/// How long a registration that was made over REST lives after its last write.
///
/// Source: REST §4.16, §14.
package enum RegistrationLife: Hashable, Sendable {
    case unlimited
    /// At least a day.
    case seconds(UInt64)

    /// Seconds of the shortest life.
    package static let secondsMin: UInt64 = 86_400
    /// The longest span that clients can say, which means for ever.
    private static let longest = "P10675199DT2H48M5.4775807S"
    private static let longestSeconds: UInt64 = 10_675_199 * 86_400

    /// Seconds; nil for ever.
    package var seconds: UInt64? {
        switch self {
        case .unlimited: nil
        case .seconds(let seconds): seconds
        }
    }

    /// Takes what was stored.
    package init(seconds: UInt64?) { self = seconds.map { .seconds($0) } ?? .unlimited }

    /// As clients write it: a duration of ISO 8601.
    package var text: String {
        guard case .seconds(let seconds) = self else { return Self.longest }
        let days = seconds / 86_400
        var text = "P\(days)D"
        let parts = [
            (seconds % 86_400 / 3_600, "H"), (seconds % 3_600 / 60, "M"), (seconds % 60, "S"),
        ]
        let named = parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }
        if !named.isEmpty { text += "T" + named.joined() }
        return text
    }

    /// Reads days, hours, minutes and seconds, in this order; parts of seconds are passed over.
    ///
    /// - Throws: `.invalid` when it is no such duration, or shorter than a day.
    package init(text: String) throws(Refusal) {
        let invalid = Refusal.invalid(
            field: "RegistrationTtl",
            reason: "must be a duration such as P90D, of at least P1D."
        )
        var rest = Array(text.utf8)[...]
        guard rest.popFirst() == UInt8(ascii: "P") else { throw invalid }
        var total: UInt64 = 0
        var units: [(letter: Character, seconds: UInt64)] = [
            ("D", 86_400), ("T", 0), ("H", 3_600), ("M", 60), ("S", 1),
        ]
        var isTime = false
        while !rest.isEmpty {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(digits.count)
            if rest.first == UInt8(ascii: "."), !digits.isEmpty {
                rest = rest.dropFirst()
                rest = rest.drop { (0x30...0x39).contains($0) }
                guard rest == [UInt8(ascii: "S")] else { throw invalid }
            }
            guard let byte = rest.popFirst(),
                let place = units.firstIndex(where: { $0.letter.asciiValue == byte })
            else { throw invalid }
            let unit = units[place]
            units.removeFirst(place + 1)
            if unit.letter == "T" {
                guard digits.isEmpty, !rest.isEmpty else { throw invalid }
                isTime = true
                continue
            }
            guard isTime || unit.letter == "D", let count = ASCII.decimal(Array(digits)),
                count <= Self.longestSeconds
            else { throw invalid }
            total += min(count * unit.seconds, Self.longestSeconds)
        }
        guard total >= Self.secondsMin else { throw invalid }
        self = total >= Self.longestSeconds ? .unlimited : .seconds(total)
    }
}
