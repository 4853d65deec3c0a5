import HubClient
import HubWire

/// A device of the SDK whose events a test waits for.
final class Phone: Sendable {
    let name: String
    let events = EventLog<DeviceEvent>()
    let store: any DeviceStore
    private let client: DeviceClient
    private let pump: Task<Void, Never>

    /// Begins to connect; `store` lets it go on where another one stopped.
    init(
        _ connection: ConnectionFile,
        name: String = "phone",
        store: any DeviceStore = MemoryDeviceStore()
    ) throws {
        self.name = name
        self.store = store
        let client = try DeviceClient(connection, store: store)
        let events = events
        pump = Task {
            for await event in client.events {
                if case .notification(let notification) = event { client.taken(notification) }
                events.append(event)
            }
            events.finish()
        }
        self.client = client
    }

    /// Connects and subscribes.
    static func subscribed(
        _ connection: ConnectionFile,
        name: String = "phone",
        _ choice: RegistrationChoice
    ) async throws -> Phone {
        let phone = try Phone(connection, name: name)
        try await phone.register(choice)
        return phone
    }

    /// Registers, and waits until the hub has confirmed exactly this choice.
    func register(_ choice: RegistrationChoice) async throws {
        client.register(choice)
        try await events.wait(for: "a confirmed registration of \(name)") { events in
            events.contains { event in
                if case .registered(let confirmed, _) = event { confirmed == choice } else { false }
            }
        }
    }

    /// The push handle.
    var handle: String { client.handle ?? "" }

    /// Whether it began once, and found its place each time that it came back.
    var wasResumed: Bool {
        let outcomes = openings.map(\.outcome)
        return outcomes.count > 1 && outcomes[0] == .fresh
            && outcomes.dropFirst().allSatisfy { $0 == .resumed }
    }

    /// Comes back at once instead of after its delay.
    func reconnect() { client.reconnect() }

    /// Tells the hub what the user did.
    func report(_ event: UserReport.Event, of notification: ReceivedNotification) {
        client.report(event, of: notification)
    }

    /// Leaves in order and ends.
    func close() async {
        await client.close()
        await pump.value
    }

    /// Everything received, in order.
    var received: [ReceivedNotification] { Self.notifications(events.events) }

    /// The payloads received, in order.
    var texts: [String] { received.map { $0.text ?? "(not text)" } }

    /// What the hub decided with each connection.
    var openings: [SessionOpening] {
        events.events.compactMap { if case .connected(let opening) = $0 { opening } else { nil } }
    }

    /// Why each connection ended.
    var departures: [Departure] {
        events.events.compactMap { if case .disconnected(let why, _) = $0 { why } else { nil } }
    }

    /// Waits for a number of notifications, earlier ones included.
    @discardableResult
    func receive(_ count: Int, seconds: Int = 120) async throws -> [ReceivedNotification] {
        let events = try await events.wait(
            for: "\(count) notifications on \(name)",
            seconds: seconds
        ) {
            Self.notifications($0).count >= count
        }
        return Self.notifications(events)
    }

    /// Waits for payloads that contain a text.
    func receive(_ count: Int = 1, containing text: String) async throws {
        try await events.wait(for: "\(count) times '\(text)' on \(name)") { events in
            Self.notifications(events).count { $0.text?.contains(text) ?? false } >= count
        }
    }

    /// Waits until it has been connected so many times.
    func connected(times count: Int) async throws {
        try await events.wait(for: "connection \(count) of \(name)") { events in
            events.count { if case .connected = $0 { true } else { false } } >= count
        }
    }

    /// Waits until it has been disconnected so many times.
    func disconnected(times count: Int) async throws {
        try await events.wait(for: "end \(count) of a connection of \(name)") { events in
            events.count { if case .disconnected = $0 { true } else { false } } >= count
        }
    }

    private static func notifications(_ events: [DeviceEvent]) -> [ReceivedNotification] {
        events.compactMap { if case .notification(let found) = $0 { found } else { nil } }
    }
}

extension RegistrationChoice {
    /// The template of the tutorials' app for a platform.
    static func news(_ platform: Platform, tags: [String]) -> RegistrationChoice {
        .template(
            platform: platform,
            name: "news",
            body: NewsFormat.payload(platform, "$(messageParam)"),
            headers: platform == .windows ? [("X-WNS-Type", "wns/toast")] : [],
            tags: tags
        )
    }
}

/// What one message looks like on each platform.
enum NewsFormat {
    static func payload(_ platform: Platform, _ message: String) -> String {
        switch platform {
        case .apple: #"{"aps":{"alert":"\#(message)"}}"#
        case .windows:
            #"<toast><visual><binding template="ToastText01"><text id="1">\#(message)"#
                + "</text></binding></visual></toast>"
        default: #"{"data":{"msg":"\#(message)"}}"#
        }
    }
}
