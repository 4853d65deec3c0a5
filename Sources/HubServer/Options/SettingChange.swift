/// A setting that differs from the one in force.
struct SettingChange: Equatable {
    /// Settings whose new values a reload takes.
    static let reloaded: Set<String> = [
        "log.level", "rest.connections.per.address", "registrations.max", "tags.max",
        "tags.bytes.max", "registrations.per.minute.key", "registrations.per.minute.address",
        "schedule.horizon.seconds", "tags.expression.max", "tags.expression.mixed.max",
        "tags.expression.bytes",
    ]

    var name: String
    var from: String
    var to: String
}
