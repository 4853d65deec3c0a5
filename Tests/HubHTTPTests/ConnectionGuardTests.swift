import NIOCore
import NIOEmbedded
import Testing

@testable import HubHTTP

@Suite("The guard of an HTTP connection")
struct ConnectionGuardTests {
    private static func channel(
        _ places: ConnectionPlaces? = nil,
        above kernel: FullKernel? = nil
    ) throws -> EmbeddedChannel {
        var times = ConnectionTimes(
            opening: .seconds(10),
            silence: .seconds(60),
            request: .seconds(200),
            unread: .seconds(30)
        )
        times.closing = .seconds(3)
        let channel = EmbeddedChannel(handler: ConnectionGuard(times, places: places))
        if let kernel {
            try channel.pipeline.syncOperations.addHandler(kernel, position: .first)
        }
        // Nothing is waited for: an embedded channel connects at once.
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        return channel
    }

    /// Lets seconds pass; whether the connection stands then.
    private static func stands(_ channel: EmbeddedChannel, after seconds: Int64) -> Bool {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
        return channel.isActive
    }

    private static func hear(_ channel: EmbeddedChannel) throws {
        try channel.writeInbound(ByteBuffer(string: "GET"))
    }

    private static func answer(_ channel: EmbeddedChannel) throws {
        channel.writeAndFlush(ByteBuffer(string: "HTTP/1.1 200 OK"), promise: nil)
    }

    @Test("closes a connection that never begins, when its time is over and not before")
    func opening() throws {
        let channel = try Self.channel()
        #expect(Self.stands(channel, after: 9))
        #expect(!Self.stands(channel, after: 1))
    }

    @Test("follows a deadline that moves away, and one that comes nearer")
    func deadlines() throws {
        let channel = try Self.channel()
        #expect(Self.stands(channel, after: 5))
        try Self.hear(channel)
        #expect(Self.stands(channel, after: 100))
        try Self.answer(channel)
        #expect(Self.stands(channel, after: 59))
        #expect(!Self.stands(channel, after: 1))
    }

    @Test("passes bytes on in both directions")
    func passes() throws {
        let channel = try Self.channel()
        try Self.hear(channel)
        try Self.answer(channel)
        #expect(try channel.readInbound(as: ByteBuffer.self) == ByteBuffer(string: "GET"))
        let sent = try channel.readOutbound(as: ByteBuffer.self)
        #expect(sent == ByteBuffer(string: "HTTP/1.1 200 OK"))
        #expect(try channel.finish().isClean)
    }

    /// Frames of HTTP/2 that a server writes.
    static let frames: [(name: String, bytes: [UInt8], isProgress: Bool)] = [
        ("PING", [0, 0, 8, 6, 1, 0, 0, 0, 0] + [UInt8](repeating: 7, count: 8), false),
        ("SETTINGS", [0, 0, 0, 4, 1, 0, 0, 0, 0], false),
        ("WINDOW_UPDATE", [0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 1, 0], false),
        ("RST_STREAM", [0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0], false),
        ("HEADERS", [0, 0, 1, 1, 4, 0, 0, 0, 1, 0x88], true),
        ("DATA", [0, 0, 1, 0, 1, 0, 0, 0, 1, 0x20], true),
    ]

    @Test(
        "keeps a connection's place by answers, not by what HTTP/2 writes by itself",
        arguments: frames
    )
    func progress(_ frame: (name: String, bytes: [UInt8], isProgress: Bool)) throws {
        let places = ConnectionPlaces(PlaceTable<ObjectIdentifier>.Limits(connections: 1))
        let channel = try Self.channel(places)
        #expect(Self.stands(channel, after: 6))
        try channel.writeOutbound(ByteBuffer(bytes: frame.bytes))
        let newcomer = EmbeddedChannel()
        places.enter(newcomer, at: channel.embeddedEventLoop.now)
        channel.embeddedEventLoop.run()
        #expect(channel.isActive == frame.isProgress)
    }

    @Test("ends a connection whose answer lies unread")
    func unread() throws {
        let channel = try Self.channel()
        try Self.hear(channel)
        try Self.answer(channel)
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(Self.stands(channel, after: 29))
        #expect(!Self.stands(channel, after: 1))
    }

    @Test("ends a connection for bytes that the kernel does not take, and not for those it took")
    func unreadInAll() throws {
        var limits = PlaceTable<ObjectIdentifier>.Limits(connections: 10)
        limits.unreadBytes = 40
        let places = ConnectionPlaces(limits)
        let kernel = FullKernel()
        let (full, taking) = (try Self.channel(places, above: kernel), try Self.channel(places))
        try Self.answer(full)
        for _ in 0..<10 { try Self.answer(taking) }
        try Self.answer(full)
        #expect(full.isActive && taking.isActive)
        kernel.take()
        for _ in 0..<2 { try Self.answer(full) }
        #expect(full.isActive)
        try Self.answer(full)
        full.embeddedEventLoop.run()
        #expect(!full.isActive && taking.isActive)
    }

    @Test("makes room when its time has come, though no connection enters then")
    func relief() throws {
        let places = ConnectionPlaces(PlaceTable<ObjectIdentifier>.Limits(connections: 1))
        let (slow, newcomer) = (try Self.channel(places), EmbeddedChannel())
        // Behind the other one: of two with the same time either gives way.
        places.enter(newcomer, at: newcomer.embeddedEventLoop.now + .milliseconds(1))
        newcomer.embeddedEventLoop.advanceTime(by: .milliseconds(4_999))
        slow.embeddedEventLoop.run()
        #expect(slow.isActive)
        newcomer.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        slow.embeddedEventLoop.run()
        #expect(!slow.isActive)
    }

    @Test("leaves two seconds after it was told to")
    func leaves() throws {
        let channel = try Self.channel()
        try Self.hear(channel)
        channel.leaveAfterAnswer()
        channel.embeddedEventLoop.run()
        #expect(Self.stands(channel, after: 1))
        #expect(!Self.stands(channel, after: 1))
    }

    @Test("ends a connection that never began at once when the server stops, others in their time")
    func quiesces() throws {
        let never = try Self.channel()
        never.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(!never.isActive)
        let began = try Self.channel()
        try Self.hear(began)
        began.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(Self.stands(began, after: 2))
        #expect(!Self.stands(began, after: 1))
    }

    @Test("writes what comes with the end of a connection when the server stops")
    func lastFrame() throws {
        let channel = try Self.channel()
        try Self.hear(channel)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        channel.close(promise: nil)
        try Self.answer(channel)
        #expect(try channel.readOutbound(as: ByteBuffer.self)?.readableBytes == 15)
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
    }
}

/// Takes nothing that is written until it is told to.
private final class FullKernel: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private var waiting: [EventLoopPromise<Void>] = []

    func write(
        context: ChannelHandlerContext,
        data: NIOAny,
        promise: EventLoopPromise<Void>?
    ) {
        if let promise { waiting.append(promise) }
    }

    func close(
        context: ChannelHandlerContext,
        mode: CloseMode,
        promise: EventLoopPromise<Void>?
    ) {
        take()
        context.close(mode: mode, promise: promise)
    }

    func take() {
        let taken = waiting
        waiting = []
        for promise in taken { promise.succeed() }
    }
}
