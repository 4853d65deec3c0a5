import HubClient

/// A notification whose turn to be shown has not come.
struct Arrival: Sendable {
    let notification: ReceivedNotification
    let entry: InboxEntry
    /// What it asks to fetch; nil for a text that came with it.
    let push: SilentPush?
    /// Whether it has been shown before, or is for nobody.
    let isOver: Bool
    /// What fetches its content; nil until there is room.
    var work: Task<Fetched, Never>?
}
