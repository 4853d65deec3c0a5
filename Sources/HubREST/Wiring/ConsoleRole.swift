/// The role of a session of the console; each includes those before it.
package enum ConsoleRole: String, CaseIterable, Codable, Comparable, Sendable {
    /// Reads everything but payloads and handles.
    case viewer
    /// Sends, schedules and cancels too.
    case sender
    /// Changes and removes too.
    case manager

    package static func < (left: ConsoleRole, right: ConsoleRole) -> Bool {
        left.place < right.place
    }

    private var place: Int {
        switch self {
        case .viewer: 0
        case .sender: 1
        case .manager: 2
        }
    }
}
