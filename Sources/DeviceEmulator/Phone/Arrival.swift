import HubClient

/// A notification whose turn to be shown has not come.
struct Arrival: Sendable {
    let notification: ReceivedNotification
    let entry: InboxEntry
    /// The content that it asks for; nil for a text that came with it.
    let push: SilentPush?
    /// Whether it has been shown before, or names no user of this phone.
    let isOver: Bool
    /// The task that fetches its content; nil until there is room.
    var work: Task<Fetched, Never>?
}
