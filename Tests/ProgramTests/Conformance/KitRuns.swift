import Foundation
import HubClient
import HubConformance
import HubSender
import HubVocabulary
import HubWire

@testable import ScenarioSupport

/// Runs of the conformance kit within a test.
enum KitRuns {
    /// The kit against a hub, with the keys of its connection file.
    static func findings(
        of connection: ConnectionFile,
        only: [String],
        port: UInt16? = nil,
        certificate: (chain: [UInt8], key: [UInt8])? = nil,
        change: @escaping FrameChange = { $0 }
    ) async throws -> [Finding] {
        var kit = HubConformance()
        kit.only = only
        kit.isPatient = true
        kit.protocolFolder = SourceTree.path("Protocol")
        let sender = try SenderClient(connection)
        var hub = HubUnderTest(
            host: "localhost",
            port: port ?? connection.devices.port,
            hub: connection.hub
        ) { kind in
            switch kind {
            case .listen: try? Tokens.listenOnly(connection)
            case .expired: try? Tokens.expired(connection)
            case .sendOnly: try? Tokens.sendOnly(connection)
            case .forged: try? Tokens.forged(connection)
            }
        }
        if let path = connection.ca {
            hub.authorities = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        hub.change = change
        hub.certificate = certificate
        hub.send = { order throws(KitFault) in
            // What was not sent is missed by the scenario.
            _ = KitWait.value { try? await sender.send(notification(order)) }
        }
        let (running, lent) = (kit, hub)
        let findings = try await onThread { try running.run(lent) { _ in } }
        await sender.close()
        return findings
    }

    private static func notification(_ order: HubUnderTest.Order) -> OutgoingNotification {
        switch order {
        case .apple(let body, let tag, let headers):
            var made = OutgoingNotification.native(.apple, body: body, tags: tag)
            made.headers = headers.map { .init(name: $0.name, value: $0.value) }
            return made
        case .template(let json, let tag): return .template(json: json, tags: tag)
        }
    }

    /// A mistake of a client that is played for it.
    struct ClientMistake: Sendable {
        var change: FrameChange = { $0 }
        /// Whether its app connects again when the device would stay away.
        var insists = false
        /// Whether it comes back at all.
        var reconnects = true
    }

    /// The kit against the SDK's device, which registers one slot.
    static func findings(
        ofDeviceWith mistake: ClientMistake = ClientMistake(),
        only: [String],
        withVectors: Bool = false,
        isPatient: Bool = false
    ) async throws -> [Finding] {
        let folder = ScenarioFolder()
        var kit = ClientConformance()
        kit.only = only
        kit.isPatient = isPatient
        if withVectors { kit.protocolFolder = SourceTree.path("Protocol") }
        var guest = try ClientUnderTest(host: "127.0.0.1", port: 0, names: ["localhost"])
        try folder.write(guest.certificate.certificate, to: "kit.pem")
        let device = try device(guest.port, folder.file("kit.pem"), mistake)
        guest.change = mistake.change
        guest.wake = { device.reconnect() }
        let taking = taking(device, insists: mistake.insists)
        let (running, waiting) = (kit, guest)
        let findings = try await onThread { try running.run(waiting) { _ in } }
        await device.close()
        await taking.value
        return findings
    }

    /// The SDK's device with one slot, which connects to a kit.
    static func device(
        _ port: UInt16,
        _ certificate: String,
        _ mistake: ClientMistake = ClientMistake()
    ) throws -> DeviceClient {
        var configuration = DeviceLoop.Configuration(
            host: "localhost",
            port: port,
            caPath: certificate,
            tokens: ListenTokens(given: "any")
        )
        configuration.reconnects = mistake.reconnects
        let device = try DeviceClient(
            configuration,
            session: LinkSession.Configuration(hub: "kit"),
            store: MemoryDeviceStore()
        )
        device.register(RegistrationChoice(platform: .apple, tags: ["World"]))
        return device
    }

    /// Takes what a device gets, until it is closed.
    static func taking(_ device: DeviceClient, insists: Bool) -> Task<Void, Never> {
        Task {
            for await event in device.events {
                switch event {
                case .notification(let notification): device.taken(notification)
                case .disconnected(_, retryIn: nil) where insists: device.reconnect()
                default: break
                }
            }
        }
    }

    private static func onThread(
        _ body: @escaping @Sendable () throws -> [Finding]
    ) async throws -> [Finding] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}
