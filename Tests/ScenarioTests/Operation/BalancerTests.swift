import Foundation
import HubClient
import HubMetrics
import HubSender
import HubServer
import HubTestSupport
import HubTransport
import NIOHTTP1
import Testing

@testable import ScenarioSupport

/// A hub behind HAProxy, which tells it who its clients are.
@Suite("A hub behind a balancer", .enabled(if: Balancer.isInstalled))
struct BalancerTests {
    private static func configure(_ options: inout ServerOptions) {
        guard let here = try? AddressBlock("127.0.0.1") else { return }
        options.devices.proxies = [here]
        // Each shard counts by itself.
        options.devices.shards = 1
        options.rest.proxies = [here]
        // Clients of this machine would not count: the refusals show that the told address does.
        options.devices.transportLimits.unauthenticatedPerAddress = 1
        options.rest.limits.connectionsPerAddress = 1
    }

    @Test("serves devices and REST, and counts them under the address that the balancer tells")
    func tellsAddresses() async throws {
        try await HostedHub.run(configure: Self.configure) { hub in
            let balancer = try Balancer(hub.connection)
            let connection = balancer.connection
            let caller = try RESTCaller(connection)
            try await balancer.isReady(for: caller)

            let device = try DeviceClient(connection, store: MemoryDeviceStore())
            let (log, pump) = try await device.subscribed()
            let sent = try await caller.send(#"{"aps":{"alert":"Hello"}}"#, format: "apple")
            #expect(sent.status == 201)
            try await log.wait(for: "the notification") { events in
                events.contains { if case .notification = $0 { true } else { false } }
            }

            // The caller's connection is the one that its address may have.
            let second = try await RawLink(
                connection,
                port: connection.rest.port,
                .tls(alpn: ["http/1.1"])
            )
            try await second.closedByHub()
            let first = try await RawLink(connection)
            let other = try await RawLink(connection)
            try await other.closedByHub()
            try await hub.report(of: "a refusal for the address") { reports in
                reports.reduce(0) { $0 + $1.transport[.perAddress] } == 1
            }
            await first.close()
            await caller.close()
            await device.close()
            await pump.value
        }
    }

    @Test("closes what comes past the balancer's header")
    func refusesOthers() async throws {
        try await HostedHub.run(configure: Self.configure) { hub in
            let device = try await RawLink(hub.connection)
            try await device.closedByHub()
            try await hub.report(of: "a refused header") { reports in
                reports.reduce(0) { $0 + $1.transport[.proxyHeader] } == 1
            }
            let rest = try await RawLink(
                hub.connection,
                port: hub.connection.rest.port,
                .tls(alpn: ["http/1.1"])
            )
            try await rest.closedByHub()
        }
    }
}

/// HAProxy in front of a hub, with a client elsewhere.
final class Balancer {
    static let path = "/usr/sbin/haproxy"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// The hub at the balancer's ports.
    let connection: ConnectionFile
    private let folder = ScenarioFolder()
    private let program: Program

    init(_ hub: ConnectionFile) throws {
        // Below those that the system gives away.
        let port = UInt16.random(in: 10_000..<16_000) * 2
        var there = hub
        there.rest.port = port
        there.devices.port = port + 1
        there.connectionStrings.full = hub.connectionStrings.full
            .replacing(":\(hub.rest.port)", with: ":\(port)")
        connection = there
        let client = "\n  tcp-request connection set-src ipv4(203.0.113.7)"
        let text = try Self.example()
            .replacing("bind :9443", with: "bind 127.0.0.1:\(port + 1)" + client)
            .replacing("bind :8443", with: "bind 127.0.0.1:\(port)" + client)
            .replacing("10.0.0.1:9443", with: "127.0.0.1:\(hub.devices.port)")
            .replacing("10.0.0.1:8443", with: "127.0.0.1:\(hub.rest.port)")
            .replacing("port 8443", with: "port \(hub.rest.port)")
            // No node is there.
            .replacing("10.0.0.2:", with: "127.0.0.9:")
        try folder.write(text, to: "haproxy.cfg")
        program = try Program(Self.path, ["-db", "-f", folder.file("haproxy.cfg")])
    }

    deinit { program.signal(SIGTERM) }

    /// The configuration in the handbook.
    private static func example() throws -> String {
        let page = SourceTree.path("Sources/belfry/Belfry.docc/PostgreSQL.md")
        let text = try String(contentsOfFile: page, encoding: .utf8)
        let block = text.components(separatedBy: "```").first { $0.hasPrefix("\ndefaults\n") }
        return try #require(block)
    }

    /// Waits until the balancer has found the hub.
    func isReady(for caller: RESTCaller) async throws {
        try await eventually("a balancer with a hub") {
            let answer = try? await caller.perform(.GET, "healthz", authorization: nil)
            return answer?.status == 200
        }
    }
}
