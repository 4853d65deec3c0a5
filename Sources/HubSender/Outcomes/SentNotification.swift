public import HubVocabulary

/// The hub's answer to an accepted notification.
public struct SentNotification: Equatable, Sendable {
    /// The notification's id, from `Location`.
    public var id: String
    /// Where its outcome can be asked for.
    public var location: String
    /// The HTTP status, 201.
    public var status: Int
    /// The request's tracking id, for support; empty when the hub sent none.
    public var trackingID: String

    /// An answer of its parts.
    public init(id: String, location: String, status: Int, trackingID: String) {
        self.id = id
        self.location = location
        self.status = status
        self.trackingID = trackingID
    }

    /// The name under which devices receive it; nil when `id` does not begin with one.
    public var identifier: NotificationIdentifier? {
        NotificationIdentifier(uuidText: String(id.prefix { $0 != "-" }))
            ?? NotificationIdentifier(uuidText: String(id.prefix(36)))
    }
}
