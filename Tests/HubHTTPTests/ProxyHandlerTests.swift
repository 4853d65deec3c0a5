import HubTransport
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HubHTTP

@Suite("A balancer's connection over HTTP")
struct ProxyHandlerTests {
    /// What the rules were told.
    private final class Told: Sendable {
        let hosts = Mutex<[String]>([])
        let refused = Atomic(0)
        let isFull = Atomic(false)
    }

    private static func channel(
        _ told: Told,
        from address: String = "10.0.0.1",
        node: String? = nil
    ) throws -> EmbeddedChannel {
        let rules = ProxyRules([try AddressBlock("10.0.0.0/8")], node: node) { _, address in
            told.hosts.withLock { $0.append(address.host) }
            return !told.isFull.load(ordering: .relaxed)
        } refused: {
            told.refused.add(1, ordering: .relaxed)
        }
        let channel = EmbeddedChannel()
        // Nothing is waited for: an embedded channel connects at once.
        channel.connect(to: try NIOCore.SocketAddress(ipAddress: address, port: 1), promise: nil)
        channel.remoteAddress = try NIOCore.SocketAddress(ipAddress: address, port: 1)
        let isGuarded = try rules.guards(channel)
        #expect(isGuarded == address.hasPrefix("10."))
        return channel
    }

    private static let header: [UInt8] = {
        let source = SocketAddress(high: 0, low: 0xFFFF_CB00_7107, port: 9)
        return ProxyHeader(source: source).encoded(to: source)
    }()

    private static func address(_ channel: EmbeddedChannel) throws -> String? {
        let handler = try channel.pipeline.syncOperations.handler(type: ProxyHandler.self)
        return handler.told.address?.host
    }

    @Test("gives on what follows the header, wherever the stream is cut")
    func cuts() throws {
        let stream = Self.header + [1, 2, 3]
        for cut in 0...stream.count {
            let told = Told()
            let channel = try Self.channel(told)
            try channel.writeInbound(ByteBuffer(bytes: stream[..<cut]))
            #expect(try (Self.address(channel) == nil) == (cut < Self.header.count))
            try channel.writeInbound(ByteBuffer(bytes: stream[cut...]))
            var rest: [UInt8] = []
            while let part = try channel.readInbound(as: ByteBuffer.self) {
                rest += part.readableBytesView
            }
            #expect(rest == [1, 2, 3] && channel.isActive, "cut at \(cut)")
            #expect(try Self.address(channel) == "203.0.113.7")
            #expect(told.hosts.withLock { $0 } == ["203.0.113.7"])
            #expect(told.refused.load(ordering: .relaxed) == 0)
        }
    }

    @Test("is closed and counted without a header, and gives nothing on")
    func refuses() throws {
        let cut = Array(Self.header.dropLast(16))
        for bytes in [[0x16, 3, 1], Array("GET ".utf8), cut + [0x11]] {
            let told = Told()
            let channel = try Self.channel(told)
            try channel.writeInbound(ByteBuffer(bytes: bytes))
            #expect(!channel.isActive && told.refused.load(ordering: .relaxed) == 1)
            #expect(try channel.readInbound(as: ByteBuffer.self) == nil)
        }
    }

    /// A hello of TLS that asks for a name of fewer than 200 bytes.
    private static func hello(_ name: String) -> [UInt8] {
        let count = UInt8(name.utf8.count)
        let head: [UInt8] = [0, 0, 0, count + 5, 0, count + 3, 0, 0, count]
        let names = head + Array(name.utf8)
        var body: [UInt8] = [3, 3] + Array(repeating: 7, count: 32)
        body += [0, 0, 2, 0x13, 0x01, 1, 0, 0, UInt8(names.count)] + names
        return [0x16, 3, 1, 0, UInt8(body.count + 4), 1, 0, 0, UInt8(body.count)] + body
    }

    @Test("is a node's where it asks for the nodes' name, and needs no header then")
    func nodes() throws {
        let stream = Self.hello("node.test") + [1, 2, 3]
        for cut in 0...stream.count {
            let told = Told()
            let channel = try Self.channel(told, node: "node.test")
            try channel.writeInbound(ByteBuffer(bytes: stream[..<cut]))
            try channel.writeInbound(ByteBuffer(bytes: stream[cut...]))
            var given: [UInt8] = []
            while let part = try channel.readInbound(as: ByteBuffer.self) {
                given += part.readableBytesView
            }
            #expect(given == stream && channel.isActive, "cut at \(cut)")
            #expect(try Self.address(channel) == "10.0.0.1")
            #expect(told.hosts.withLock { $0 } == ["10.0.0.1"])
        }
        // A balancer at such an address sends its header as ever.
        let told = Told()
        let channel = try Self.channel(told, node: "node.test")
        try channel.writeInbound(ByteBuffer(bytes: Self.header))
        #expect(try Self.address(channel) == "203.0.113.7")
    }

    @Test("is closed when it asks for another name, or for a node where there is none")
    func otherNames() throws {
        for (asked, node) in [("node.tes", "node.test"), ("node.test", nil)] {
            let told = Told()
            let channel = try Self.channel(told, node: node)
            try channel.writeInbound(ByteBuffer(bytes: Self.hello(asked)))
            #expect(!channel.isActive && told.refused.load(ordering: .relaxed) == 1)
            #expect(try channel.readInbound(as: ByteBuffer.self) == nil)
        }
    }

    @Test("is closed when the told address has no place, and gives nothing on")
    func full() throws {
        let told = Told()
        told.isFull.store(true, ordering: .relaxed)
        let channel = try Self.channel(told)
        try channel.writeInbound(ByteBuffer(bytes: Self.header + [1]))
        #expect(!channel.isActive && told.refused.load(ordering: .relaxed) == 0)
        #expect(try channel.readInbound(as: ByteBuffer.self) == nil)
    }

    @Test("is as any other when its address is not a balancer's")
    func others() throws {
        let told = Told()
        let channel = try Self.channel(told, from: "11.0.0.1")
        try channel.writeInbound(ByteBuffer(bytes: [1]))
        let given = try channel.readInbound(as: ByteBuffer.self)
        #expect(given == ByteBuffer(bytes: [1]))
        #expect(told.hosts.withLock { $0 } == [])
    }
}
