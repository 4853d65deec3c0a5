import HubClient
import HubTestSupport
import HubTransport
import HubVocabulary
import Synchronization
import Testing

@testable import ScenarioSupport

/// What a device does when the world around its link changes.
@Suite("A device's link")
struct DeviceLinkTests {
    private static func setup() -> [DeviceSetup] {
        let session = LinkSession.Configuration(hub: "hub")
        return [DeviceSetup(session: session, store: MemoryDeviceStore(), seed: 3)]
    }

    @Test("finds a hub that has moved to another address while it was away")
    func resolvesAgain() async throws {
        try await HostedHub.run { hub in
            var configuration = try DeviceLoop.Configuration(hub.connection)
            let asked = Tally()
            configuration.host = "localhost"
            configuration.resolve = { _, port throws(TransportError) in
                let count = asked.count.withLock { count -> UInt64 in
                    count += 1
                    return count
                }
                // Port 1 has no listener; the second answer is none at all.
                if count == 2 { throw .hostUnknown("localhost", code: 0) }
                let address = try SocketAddress(numeric: "127.0.0.1", port: count == 1 ? 1 : port)
                return [address]
            }
            let seen = SeenByLoop()
            let loop = try DeviceLoop(configuration, observer: seen)
            loop.add(Self.setup())
            try await seen.events.wait(for: "a hub that cannot be reached") { events in
                events.contains { if case .disconnected = $0 { true } else { false } }
            }
            // The address is asked for again when the connection has failed again.
            try await eventually("a connection", within: .seconds(100)) {
                let count = seen.events.events.count
                loop.reconnect()
                try await seen.events.wait(for: "another attempt") { $0.count > count }
                return seen.isConnected
            }
            #expect(asked.count.withLock { $0 } >= 3)
            loop.stop()
            try await seen.events.end()
        }
    }

    @Test("is asked whether it lives when the machine has slept")
    func sleeps() async throws {
        try await HostedHub.run { hub in
            var configuration = try DeviceLoop.Configuration(hub.connection)
            let slept = Tally()
            configuration.suspension = { slept.count.withLock { $0 } }
            let seen = SeenByLoop()
            let loop = try DeviceLoop(configuration, observer: seen)
            loop.add(Self.setup())
            try await seen.events.wait(for: "a connection") { events in
                events.contains { if case .connected = $0 { true } else { false } }
            }
            slept.count.withLock { $0 += 3_600_000_000_000 }
            try await seen.pongs.wait(for: "a PONG long before the keep-alive") { !$0.isEmpty }
            loop.stop()
            try await seen.events.end()
        }
    }

    @Test("gives an attempt up that was under way when the network changed")
    func reconnectsWhileOpening() async throws {
        let silent = try await SilentListener()
        let seen = SeenByLoop()
        let loop = try DeviceLoop(
            DeviceLoop.Configuration(host: "127.0.0.1", port: silent.port),
            observer: seen
        )
        loop.add(Self.setup())
        try await silent.accepted.wait(for: "an attempt") { !$0.isEmpty }
        loop.reconnect()
        try await seen.events.wait(for: "its end") { events in
            events.contains { event in
                if case .disconnected(.networkChanged, .some) = event { true } else { false }
            }
        }
        try await silent.accepted.wait(for: "the next attempt") { $0.count > 1 }
        loop.stop()
        try await seen.events.end()
        try await silent.close()
    }

    @Test("ends when nobody can hear of it any more, and leaves its file to others")
    func dropped() async throws {
        try await HostedHub.run { hub in
            let path = hub.folder.file("device.json")
            try await Self.connectOnce(hub.connection, path)
            // The thread lets go of the file when it has said goodbye.
            let store = try await eventually("a file that is let go of") {
                try? FileDeviceStore(path: path)  // Held by another until then.
            }
            #expect(store.state.identity != nil)
        }
    }

    private static func connectOnce(_ connection: ConnectionFile, _ path: String) async throws {
        let device = try DeviceClient(connection, statePath: path)
        for await event in device.events {
            if case .connected = event { return }
        }
        Issue.record("never connected")
    }
}

private final class Tally: Sendable {
    let count = Mutex<UInt64>(0)
}

/// Everything that a loop tells.
private final class SeenByLoop: DeviceObserver {
    let events = EventLog<DeviceEvent>()
    let pongs = EventLog<Int>()

    var isConnected: Bool {
        events.events.contains { if case .connected = $0 { true } else { false } }
    }

    func device(_ index: Int, did event: DeviceEvent, at time: Instant) {
        events.append(event)
    }

    func deviceKeptAlive(_ index: Int, at time: Instant) { pongs.append(index) }

    func loopEnded() { events.finish() }
}
