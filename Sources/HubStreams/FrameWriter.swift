package import HubRelay
package import NIOCore

/// A client's frames, in bytes that wait for the next flush.
///
/// Source: RFC 9113 §4 and §6.
package struct FrameWriter {
    /// The beginning of every connection.
    private static let preface: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    /// Bytes from which on it is time to send: what is just written is still in the cache when TLS
    /// reads it, and the service begins to read before the last request is made.
    private static let enoughBytes = 49_152
    /// Bytes for which a buffer is made: requests to APNs and FCM that come last fit in it.
    private static let capacity = 65_536

    private var bytes = ByteBuffer()

    /// A writer of a new connection.
    package init() {}

    /// Whether no bytes wait.
    package var isEmpty: Bool { bytes.readableBytes == 0 }

    /// Whether so many bytes wait that they are better sent now.
    package var hasEnough: Bool { bytes.readableBytes >= Self.enoughBytes }

    /// Takes the bytes that wait.
    package mutating func take() -> ByteBuffer {
        let taken = bytes
        bytes = ByteBuffer()
        return taken
    }

    /// The first bytes of a connection.
    package mutating func begin(_ settings: [(identifier: UInt16, value: UInt32)]) {
        bytes.writeStaticString(Self.preface)
        head(settings.count * 6, ServiceFrame.Kind.settings, 0, stream: 0)
        for (identifier, value) in settings {
            bytes.writeMultipleIntegers(identifier, value)
        }
    }

    /// Says that the service's settings hold.
    package mutating func acknowledgeSettings() {
        head(0, ServiceFrame.Kind.settings, ServiceFrame.Flag.acknowledged, stream: 0)
    }

    /// Asks for a sign of life, or gives one.
    package mutating func ping(_ data: UInt64, isAnswer: Bool) {
        head(
            8,
            ServiceFrame.Kind.ping,
            isAnswer ? ServiceFrame.Flag.acknowledged : 0,
            stream: 0
        )
        bytes.writeInteger(data)
    }

    /// The service may send so much more on the connection.
    package mutating func windowUpdate(by increment: Int) {
        head(4, ServiceFrame.Kind.windowUpdate, 0, stream: 0)
        bytes.writeInteger(UInt32(increment))
    }

    /// Ends a stream.
    package mutating func reset(_ stream: UInt32, _ code: UInt32) {
        head(4, ServiceFrame.Kind.reset, 0, stream: stream)
        bytes.writeInteger(code)
    }

    /// Ends the connection.
    package mutating func goAway(_ code: UInt32) {
        head(8, ServiceFrame.Kind.goAway, 0, stream: 0)
        // The service begins no streams, so the last is 0.
        bytes.writeMultipleIntegers(UInt32(0), code)
    }

    /// A request's headers, in as many frames as they need.
    package mutating func headers(
        _ stream: UInt32,
        _ request: RelayRequest,
        _ writer: inout HeaderWriter,
        endsStream: Bool
    ) {
        if bytes.capacity == 0 { bytes.reserveCapacity(Self.capacity) }
        let flag = endsStream ? ServiceFrame.Flag.endStream : 0
        head(0, ServiceFrame.Kind.headers, flag | ServiceFrame.Flag.endHeaders, stream: stream)
        let start = bytes.writerIndex
        writer.write(request, to: &bytes)
        let length = bytes.writerIndex - start
        guard length > FrameReader.contentBytesMax else {
            setLength(length, ServiceFrame.Kind.headers, before: start)
            return
        }
        // Only a token of many kilobytes comes here.
        guard var block = bytes.getSlice(at: start, length: length) else { return }
        bytes.moveWriterIndex(to: start - 9)
        var kind = ServiceFrame.Kind.headers
        while block.readableBytes > 0 {
            let size = min(block.readableBytes, FrameReader.contentBytesMax)
            let isLast = size == block.readableBytes
            head(
                size,
                kind,
                (kind == ServiceFrame.Kind.headers ? flag : 0)
                    | (isLast ? ServiceFrame.Flag.endHeaders : 0),
                stream: stream
            )
            bytes.writeBytes(block.readBytes(length: size) ?? [])
            kind = ServiceFrame.Kind.continuation
        }
    }

    /// Some of a request's content; `isLast` ends the stream with it.
    package mutating func data(_ stream: UInt32, _ content: ArraySlice<UInt8>, isLast: Bool) {
        var rest = content
        repeat {
            let part = rest.prefix(FrameReader.contentBytesMax)
            rest = rest.dropFirst(part.count)
            let ends = isLast && rest.isEmpty
            head(
                part.count,
                ServiceFrame.Kind.data,
                ends ? ServiceFrame.Flag.endStream : 0,
                stream: stream
            )
            bytes.writeBytes(part)
        } while !rest.isEmpty
    }

    private mutating func head(_ length: Int, _ kind: UInt8, _ flags: UInt8, stream: UInt32) {
        bytes.writeMultipleIntegers(UInt32(length) << 8 | UInt32(kind), flags, stream)
    }

    private mutating func setLength(_ length: Int, _ kind: UInt8, before start: Int) {
        bytes.setInteger(UInt32(length) << 8 | UInt32(kind), at: start - 9)
    }
}
