import PhoneScreen

/// Events of a hub behind a number, as the hub tells them.
struct EventPage: Decodable {
    struct Event: Codable {
        var code: Int?
        var count: Int?
        var device: String?
        var format: String?
        var id: String?
        var kind: String
        var number: UInt64
        var operation: String?
        var receivers: String?
        var rule: String?
        var status: Int?
        var tags: String?
        var text: String?
        var time: String
        var tracking: String?

        /// Its facts in one line.
        var line: String {
            let known = [
                device, count.map(String.init), id, format, tags ?? receivers, operation,
                status.map(String.init),
                code.map(String.init), rule, text, tracking,
            ]
            let facts = known.compactMap { $0 }.joined(separator: "  ")
            return "\(Row.second(time))  \(kind)  \(SafeText.line(facts))"
        }
    }

    static let path = "$belfry/events"

    var events: [Event]
    var last: UInt64
    var lost: UInt64
}
