import HubREST

/// The entries of a hub's navigation.
enum PageTab: String, CaseIterable {
    case overview = "Overview"
    case send = "Send"
    case notifications = "Notifications"
    case devices = "Devices"
    case registrations = "Registrations"
    case installations = "Installations"
    case tags = "Tags"
    case events = "Events"
    case schedules = "Schedules"
    case jobs = "Jobs"
    case settings = "Settings"
    case access = "Access"

    /// The last part of its address; empty for the overview.
    var segment: String { self == .overview ? "" : rawValue.lowercased() }

    /// Who sees it.
    var role: ConsoleRole {
        switch self {
        case .overview, .notifications, .devices, .registrations, .installations, .tags, .events:
            .viewer
        case .send, .schedules: .sender
        case .jobs, .settings, .access: .manager
        }
    }

    /// The key behind `g` that leads there; nil for one without.
    var key: String? {
        switch self {
        case .overview: "o"
        case .send: "s"
        case .notifications: "n"
        case .devices: "d"
        case .registrations: "r"
        case .tags: "t"
        case .events: "e"
        case .installations, .schedules, .jobs, .settings, .access: nil
        }
    }
}
