/// A page of a hub's notifications, the newest first.
struct NotificationPage: Decodable {
    static let path = "$belfry/notifications"

    struct Entry: Codable {
        var accepted: String
        var acknowledged: UInt64
        var dropped: UInt64
        var format: String
        var id: String
        var place: UInt64
        var receivers: String
        var sent: UInt64
        var tags: String?
    }

    var continuationToken: String?
    var notifications: [Entry]
}
