/// Which folder of a target may use which: only those that stand before it in the row.
///
/// `.` is what stands beside the folders.
enum Rooms {
    static let file = "Tests/TidyTests/Rules/Rooms.swift"

    static let rows: [String: [String]] = [
        "AppBackend": [
            ".", "Content", "Bodies", "Secrets", "Store", "Access", "Hub", "Routes", "Server",
        ],
        "DeviceEmulator": [".", "Fleet", "Phone", "Children", "Guided"],
        "HubAtom": ["XML", "Registrations", "Telemetry", "Hubs", "Jobs"],
        "HubBench": ["Model", "Fleets", "Report", "Scenarios"],
        "HubCluster": ["Items", "Groups", "Log", "Lead", "Bundles"],
        "HubConsole": ["Markup", "Sessions", "Rows", "Pages", "."],
        "HubClient": [".", "Vocabulary", "Session", "Store", "Link"],
        "HubData": ["Files", "Certificates", "Hubs", "Backup"],
        "HubDatabase": ["Keys", "Lead", "Copies", "."],
        "HubDelivery": ["Sessions", "Dispatch", "Connections", "Loop"],
        "HubQuestions": ["Relay", "Explain", "Devices", "."],
        "HubPostgres": ["Address", "Server", "Link", "Schema", "Lead", "Log"],
        "HubREST": [
            "Wiring", "Requests", "Answers", "Exchanges", "Rows", "Hubs", "Installations", "Jobs",
            "OpenAPI", "Registrations", "Telemetry", "Sends", "OwnRoutes", "Schedule", ".",
        ],
        "HubDirectory": [
            "Groups", "Lapses", "Log", "Outbox", "Devices", "Feedback", "Installations", "Jobs",
            "Registrations", "Schedule", "Sends", "Settings", "Telemetry", "Quota", "State",
            "Changes",
            "Order", "Loop",
        ],
        "HubModel": [
            "Feedback", "Jobs", "Registrations", "Settings", "Installations", "Notifications",
            "Schedule", "Relay", "Telemetry", "Storage", "Log", "Requests", "Feed",
        ],
        "HubRelay": ["Secrets", "Credentials", "Handles", "Tokens", "Services", "Lane", "Loop"],
        "HubRelayLink": [".", "Reach", "Streams", "Web"],
        "PhoneScreen": [".", "Terminal"],
        "RelayFakes": ["Script", "Services", "Server"],
        "HubRules": [
            "Access", "Bodies", "Jobs", "Registrations", "Installations", "Sends", "Schedule",
        ],
        "HubFront": ["Vocabulary", "Nodes", "Carrying", "Bundles", "Devices", "Answers", "."],
        "HubServer": [
            "Process", "Logs", "Writer", "Relays", "Shards", "Options", "REST", "Hubs", "Console",
            ".", "Node",
        ],
        "HubSender": [".", "Failures", "Sends", "Outcomes", "Client", "Relays", "Questions"],
        "HubStore": [
            "Files", "Log", "Registrations", "State", "Copy", "Cluster", "Upkeep", ".",
        ],
        "HubTables": ["Devices", "Notifications", "Registrations", "Sends"],
        "HubTransport": [
            "Process", "Vocabulary", "Proxy", "Output", "TLS", "Connections", "Loop",
        ],
        "HubTemplates": ["JSON", "."],
        "HubVocabulary": [
            "Limits", "Text", "Time", "Access", "Identifiers", "Bytes", "Secrets", "Settings",
            "Queries", "Nodes",
        ],
        "HubWire": [".", "Frames"],
        "HubConformance": ["Report", "Link", "Vectors", "Client", "Hub"],
        "belfry": [
            "Connection", "Conformance", "Hub", "Send", "Ask", "Doctor",
            "Play", "Admin", ".",
        ],
    ]

    /// An arrow up that stays, and why; at most five.
    struct Exception {
        let target: String
        let from: String
        let to: String
        let reason: String
    }

    static let exceptions: [Exception] = []
}
