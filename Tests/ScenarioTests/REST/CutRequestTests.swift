import HubClient
import HubServer
import Testing

@testable import ScenarioSupport

/// The frames of HTTP/2 that one request needs, its header fields neither indexed nor compressed.
private struct HTTP2Request {
    /// What a client says first, its settings included.
    static let opening =
        Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, flags: 0, stream: 0, [])

    private let stream: UInt32 = 1
    private let fields: [(String, String)]

    init(_ fields: [(String, String)]) { self.fields = fields }

    /// HEADERS, with END_HEADERS.
    var head: [UInt8] {
        var block: [UInt8] = []
        for (name, value) in fields { block += [0] + Self.text(name) + Self.text(value) }
        return Self.frame(1, flags: 4, stream: stream, block)
    }

    /// DATA, the last one of the stream or not.
    func data(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
        Self.frame(0, flags: isLast ? 1 : 0, stream: stream, bytes)
    }

    /// Whether a header block of the stream is among bytes from the server.
    func isAnswered(by bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            if head[3] == 1, head[8] == UInt8(stream) { return true }
            rest = rest.dropFirst(9 + length)
        }
        return false
    }

    private static func text(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var length: [UInt8] = [127]
        var left = bytes.count - 127
        while left >= 128 {
            length.append(UInt8(left & 127) | 128)
            left >>= 7
        }
        return length + [UInt8(left)] + bytes
    }

    private static func frame(
        _ type: UInt8,
        flags: UInt8,
        stream: UInt32,
        _ payload: [UInt8]
    ) -> [UInt8] {
        let sizes = bytes(UInt32(payload.count)).dropFirst()
        return Array(sizes) + [type, flags] + bytes(stream) + payload
    }

    /// A number's four bytes, the highest first.
    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { (shift: UInt32) in UInt8(truncatingIfNeeded: number >> shift) }
    }
}

@Suite("A request that is cut off", .timeLimit(.minutes(2)))
struct CutRequestTests {
    private static let body = Array(#"{"aps":{"alert":"whole"}}"#.utf8)

    private static func request(
        _ connection: ConnectionFile,
        length: Int?
    ) throws -> HTTP2Request {
        let caller = try RESTCaller(connection)
        let token = try caller.token(connection.connectionStrings.full)
        var fields = [
            (":method", "POST"), (":scheme", "https"), (":authority", "localhost"),
            (":path", "/\(connection.hub)/messages?api-version=2020-06"),
            ("authorization", token), ("content-type", "application/json;charset=utf-8"),
            ("servicebusnotification-format", "apple"),
        ]
        if let length { fields.append(("content-length", "\(length)")) }
        return HTTP2Request(fields)
    }

    private static func link(_ connection: ConnectionFile) async throws -> RawLink {
        let link = try await RawLink(
            connection,
            port: connection.rest.port,
            .tls(alpn: ["h2"])
        )
        await link.write(HTTP2Request.opening)
        return link
    }

    /// The place in the log of a send that is made now.
    private static func place(_ connection: ConnectionFile) async throws -> String {
        let caller = try RESTCaller(connection)
        let answer = try await caller.send(#"{"aps":{}}"#, format: "apple")
        await caller.close()
        #expect(answer.status == 201, "\(answer.text)")
        let location = try #require(answer.headers["location"])
        return String(
            try #require(location.prefix { $0 != "?" }.split(separator: "-").dropLast().last)
        )
    }

    @Test(
        "over HTTP/2 sends nothing, although what came would be a whole notification",
        arguments: [nil, 25, 60]
    )
    func lost(length: Int?) async throws {
        var hub = try await RunningHub.startRestartable()
        // The same frames with an end are taken: only the end is missing below.
        let whole = try Self.request(hub.connection, length: nil)
        let link = try await Self.link(hub.connection)
        await link.write(whole.head + whole.data(Self.body, isLast: true))
        try await link.input.wait(for: "an answer") { whole.isAnswered(by: Array($0.joined())) }
        await link.close()
        #expect(try await Self.place(hub.connection) == "2")

        let cut = try Self.request(hub.connection, length: length)
        let lost = try await Self.link(hub.connection)
        await lost.write(cut.head + cut.data(Self.body, isLast: false))
        try await lost.input.wait(for: "the server's settings") { !$0.isEmpty }
        await lost.close()
        // Whatever the hub made of it is done when it has ended in order.
        #expect(try await hub.terminate() == 0)
        hub = try await hub.startedAgain()
        #expect(try await Self.place(hub.connection) == "3")
        #expect(try await hub.terminate() == 0)
    }
}

@Suite("REST connections of one address, over sockets")
struct AddressLimitTests {
    @Test("one above the limit is closed and counted, and there is room again when one ends")
    func limit() async throws {
        try await HostedHub.run { options in
            options.rest.limits.connectionsPerAddress = 2
            options.rest.limits.limitsLoopback = true
        } _: { hub in
            let port = hub.connection.rest.port
            func open() async throws -> RawLink {
                let link = try await RawLink(hub.connection, port: port, .tls(alpn: ["http/1.1"]))
                await link.write(Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
                return link
            }
            func isServed(_ link: RawLink) async throws -> Bool {
                do {
                    try await link.input.wait(for: "an answer") { !$0.isEmpty }
                    return true
                } catch { return false }
            }
            let first = try await open()
            let second = try await open()
            let isFirst = try await isServed(first)
            let isSecond = try await isServed(second)
            #expect(isFirst && isSecond)
            let third = try await open()
            try await third.closedByHub()
            #expect(third.input.events.isEmpty)
            await first.close()
            // The hub hears of the end in a moment of its own.
            var isAgain = false
            for _ in 0..<1_000 where !isAgain {
                let next = try await open()
                isAgain = try await isServed(next)
                await next.close()
            }
            #expect(isAgain)
            await second.close()
        }
    }
}
