import HubAtom
import HubModel
import HubVocabulary

/// The counters of a notification as `$belfry/telemetry` tells them.
struct NotificationCounters: Encodable {
    private struct Word: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// One platform.
    private struct Counters: Encodable {
        let details: PlatformDetails

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Word.self)
            func write(_ word: String, _ count: UInt64) throws {
                try container.encode(count, forKey: Word(stringValue: word))
            }
            for kind in TelemetryKind.allCases {
                guard let word = kind.word, !kind.isRelayed || details[kind] > 0 else { continue }
                try write(word, details[kind])
            }
            try write("matchedOffline", details.matchedOffline)
            try write("templateError", details.estimate.templateError)
            try write("unknownHandle", details.estimate.unknownHandle)
        }
    }

    /// How many devices told of it, up to each age.
    private struct Receipts: Encodable {
        let acknowledged: [UInt64]
        let ageMilliseconds: [UInt64]
        let displayed: [UInt64]
        let opened: [UInt64]

        init(_ curve: ReceiptCurve) {
            func sums(_ kind: TelemetryKind) -> [UInt64] {
                Array(curve.sums(kind).prefix(curve.steps))
            }
            acknowledged = sums(.acknowledged)
            ageMilliseconds = Array(ReceiptCurve.ages.prefix(curve.steps))
            displayed = sums(.displayed)
            opened = sums(.opened)
        }
    }

    private let details: NotificationDetails

    init(_ details: NotificationDetails) { self.details = details }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Word.self)
        func write(_ word: String, _ value: some Encodable) throws {
            try container.encode(value, forKey: Word(stringValue: word))
        }
        let record = details.record
        try write("notification", NotificationAddress.text(record.id, record.sequence))
        try write("sequence", record.sequence)
        try write("state", details.state.rawValue)
        try write("accepted", CivilTime(record.id.time).isoMilliseconds)
        try write("expires", CivilTime(record.expires).isoMilliseconds)
        if let ended = details.ended { try write("fannedOut", CivilTime(ended).isoMilliseconds) }
        var platforms: [String: Counters] = [:]
        for found in details.platforms {
            platforms[found.platform.format] = Counters(details: found)
        }
        try write("platforms", platforms)
        guard let curve = details.curve, curve.steps > 0 else { return }
        try write("receipts", Receipts(curve))
    }
}
