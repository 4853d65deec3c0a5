import HubClient

extension DeviceClient {
    /// Subscribes to the world's news on Apple, and waits until it has; the events from then on, and
    /// the task that ends with them.
    func subscribed() async throws -> (log: EventLog<DeviceEvent>, pump: Task<Void, Never>) {
        let log = EventLog<DeviceEvent>()
        let pump = Task {
            for await event in events { log.append(event) }
            log.finish()
        }
        register(RegistrationChoice(platform: .apple, tags: ["World"]))
        try await log.wait(for: "a subscription") { events in
            events.contains { if case .registered = $0 { true } else { false } }
        }
        return (log, pump)
    }
}
