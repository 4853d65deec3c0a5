import HubCluster
import HubFront
import HubTestSupport
import HubTransport
import NIOCore
import Synchronization
import Testing

/// A front between devices and leaders that only listen.
private final class Stage: Sendable {
    /// That of the front's own node.
    static let run: UInt64 = 9
    let watch = LeaderWatch()
    let proof = FrontProof(key: Array(repeating: 7, count: 32))
    let front: DeviceFront
    let port: Int
    private let taken = Mutex<[WirePeer]>([])
    private let leaders = Mutex<[any Channel]>([])

    init(_ limits: FrontLimits = FrontLimits()) async throws {
        front = DeviceFront(of: Self.run, watch, proof, limits, proxies: [])
        port = try await front.listen(host: "127.0.0.1", port: 0)
        watch.whenChanged { [front] in front.follow($0) }
    }

    /// Has another node lead; it is reached where the front looks for it.
    func lead(term: UInt64) async throws { hear(term, at: try await listen()) }

    /// Has a leader listen, at a free port for 0; its port.
    @discardableResult
    func listen(at port: Int = 0) async throws -> Int {
        let leader = try await WirePeer.listener(at: port) { [self] peer in
            taken.withLock { $0.append(peer) }
        }
        leaders.withLock { $0.append(leader) }
        return leader.localAddress?.port ?? 0
    }

    /// Says that the run of a term leads, and where devices find it.
    func hear(_ term: UInt64, at port: Int) {
        watch.hear(
            LeadRow(
                term: term,
                holder: term,
                node: "n\(term)",
                address: "127.0.0.1:1",
                devices: "127.0.0.1:\(port)",
                left: 3_000
            )
        )
    }

    /// The connections that leaders have.
    var atLeaders: [WirePeer] { taken.withLock { $0 } }

    func device() async throws -> WirePeer { try await WirePeer.connected(to: port) }

    func end() async throws {
        await front.end()
        for leader in leaders.withLock({ $0 }) { try await leader.close() }
    }
}

@Suite("The device port of a front")
struct DeviceFrontTests {
    @Test("passes bytes on in both directions, behind a header that the leader believes")
    func splices() async throws {
        let stage = try await Stage()
        try await stage.lead(term: 1)
        let device = try await stage.device()
        // Until a device says something there is nothing to pass on.
        #expect(stage.atLeaders.isEmpty)
        let sent = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        try await device.write(sent)
        let leader = try await eventually("a connection") { stage.atLeaders.first }
        try await eventually("all bytes") { leader.bytes.count > sent.count }
        let read = try #require(try ProxyHeader.read(leader.bytes.span))
        #expect(read.header.source?.host == "127.0.0.1")
        #expect(stage.proof.proves(read.header, leader: 1))
        try await eventually("the last byte") { leader.bytes.count == read.count + sent.count }
        #expect(Array(leader.bytes.dropFirst(read.count)) == sent)
        try await leader.write(sent)
        try await eventually("all bytes back") { device.bytes.count == sent.count }
        #expect(device.bytes == sent)
        // The last bytes arrive before the end.
        try await leader.write([1, 2, 3])
        try await leader.close()
        try await eventually("the end") { device.isClosed }
        #expect(device.bytes.suffix(3) == [1, 2, 3])
        try await eventually("no connection") { stage.front.count == 0 }
        try await stage.end()
    }

    @Test("ends connections when another node leads, and those that come go there")
    func moves() async throws {
        let stage = try await Stage()
        try await stage.lead(term: 1)
        let device = try await stage.device()
        try await device.write([0x16])
        let first = try await eventually("a connection") { stage.atLeaders.first }
        try await eventually("its byte") { !first.bytes.isEmpty }
        try await stage.lead(term: 2)
        try await eventually("the end") { device.isClosed && first.isClosed }
        let next = try await stage.device()
        try await next.write([0x16])
        let second = try await eventually("a connection") { stage.atLeaders.dropFirst().first }
        try await eventually("its byte") { second.bytes.last == 0x16 }
        try await stage.end()
        try await eventually("the end") { next.isClosed && second.isClosed }
    }

    @Test("lets devices wait for a leader, but not without end")
    func holds() async throws {
        var limits = FrontLimits()
        limits.devices.holdMilliseconds = 200
        limits.devices.openingMilliseconds = 200
        let stage = try await Stage(limits)
        let silent = try await stage.device()
        let device = try await stage.device()
        try await device.write([0x16])
        try await eventually("the end of both") { device.isClosed && silent.isClosed }
        let patient = try await Stage()
        let waiting = try await patient.device()
        try await waiting.write([0x16])
        try await eventually("a device") { patient.front.count == 1 }
        try await patient.lead(term: 1)
        let leader = try await eventually("a connection") { patient.atLeaders.first }
        try await eventually("its byte") { leader.bytes.last == 0x16 }
        try await stage.end()
        try await patient.end()
    }

    @Test("a device that waits goes on to the node that takes the port itself")
    func leaves() async throws {
        let stage = try await Stage()
        let device = try await stage.device()
        try await device.write([0x16])
        try await eventually("a device that waits") { stage.front.count == 1 }
        // The node leads, and its port is the front's still: a device sent there would meet it again.
        stage.hear(Stage.run, at: stage.port)
        let late = try await stage.device()
        try await late.write([0x17])
        try await eventually("another device") { stage.front.count == 2 }
        await stage.front.leave()
        try await stage.listen(at: stage.port)
        try await eventually("both") { stage.atLeaders.count == 2 }
        for leader in stage.atLeaders { try await leader.write([7]) }
        try await eventually("the answers") { device.bytes == [7] && late.bytes == [7] }
        try await stage.end()
        try await eventually("the end") { device.isClosed && late.isClosed }
    }

    @Test("has as many connections as the limit says; those without a leader give way")
    func limit() async throws {
        var limits = FrontLimits()
        limits.devices.connections = 2
        let stage = try await Stage(limits)
        try await stage.lead(term: 1)
        // One after the other: a front's threads may take two in either order.
        var silent = [try await stage.device()]
        try await eventually("a device") { stage.front.count == 1 }
        silent.append(try await stage.device())
        try await eventually("two devices") { stage.front.count == 2 }
        let third = try await stage.device()
        try await eventually("the end of the oldest") { silent[0].isClosed }
        try await eventually("two devices") { stage.front.count == 2 }
        for device in [silent[1], third] { try await device.write([0x16]) }
        try await eventually("both at the leader") {
            stage.atLeaders.count == 2 && stage.atLeaders.allSatisfy { $0.bytes.last == 0x16 }
        }
        // Those that are at a leader stay.
        let fourth = try await stage.device()
        try await eventually("the end of one too many") { fourth.isClosed }
        #expect(!silent[1].isClosed && !third.isClosed)
        try await third.close()
        try await eventually("a place") { stage.front.count == 1 }
        let fifth = try await stage.device()
        try await eventually("two devices") { stage.front.count == 2 }
        #expect(!fifth.isClosed)
        try await stage.end()
    }

    @Test("an address has a few connections that did not come to a leader")
    func addresses() async throws {
        var limits = FrontLimits()
        limits.devices.limitsLoopback = true
        limits.devices.openingPerAddress = 2
        let stage = try await Stage(limits)
        try await stage.lead(term: 1)
        let devices = [try await stage.device(), try await stage.device()]
        try await eventually("two devices") { stage.front.count == 2 }
        let third = try await stage.device()
        try await eventually("the end of one too many") { third.isClosed }
        try await devices[0].write([0x16])
        try await eventually("one at the leader") { stage.atLeaders.first?.bytes.last == 0x16 }
        let fourth = try await stage.device()
        try await eventually("three devices") { stage.front.count == 3 }
        #expect(!fourth.isClosed && !devices[1].isClosed)
        try await stage.end()
    }

    @Test("passes nothing on that comes from a front")
    func loops() async throws {
        let stage = try await Stage()
        try await stage.lead(term: 1)
        let device = try await stage.device()
        let source = try HubTransport.SocketAddress(numeric: "192.0.2.1", port: 7)
        let field = stage.proof.field(of: source, leader: 1)
        try await device.write(ProxyHeader(source: source, fields: [field]).encoded(to: source))
        try await eventually("the end") { device.isClosed }
        #expect(stage.atLeaders.isEmpty)
        try await stage.end()
    }
}
