package import NIOCore

/// Cuts a service's bytes into frames.
///
/// Source: RFC 9113 §4 and §6.
package struct FrameReader {
    /// Bytes in front of a frame's content.
    private static let headBytes = 9
    /// Bytes of a frame's content at most, as long as no setting of ours allows more.
    static let contentBytesMax = 16_384
    /// Bytes of an answer's header block at most, and the frames that it may come in.
    private static let block = (bytesMax: 32_768, framesMax: 16)

    /// A header block whose end has not come.
    private struct OpenBlock {
        let stream: UInt32
        let endsStream: Bool
        var bytes: ByteBuffer
        var frames = 1
        /// Whether it is too long, so that its bytes are not kept.
        var isTooLong = false
    }

    private var bytes = ByteBuffer()
    private var open: OpenBlock?

    /// A reader of a new connection.
    package init() {}

    /// Takes bytes as they came.
    package mutating func append(_ more: inout ByteBuffer) {
        if bytes.readableBytes == 0 {
            bytes = more
        } else {
            bytes.discardReadBytes()
            bytes.writeBuffer(&more)
        }
    }

    /// The next whole frame; nil while its end has not come.
    ///
    /// - Throws: what breaks HTTP/2; the connection has to end then.
    package mutating func next() throws(FrameFault) -> ServiceFrame? {
        let place = bytes.readerIndex
        guard bytes.readableBytes >= Self.headBytes,
            let lengthAndKind = bytes.getInteger(at: place, as: UInt32.self),
            let flags = bytes.getInteger(at: place + 4, as: UInt8.self),
            let number = bytes.getInteger(at: place + 5, as: UInt32.self)
        else { return nil }
        let length = Int(lengthAndKind >> 8)
        guard length <= Self.contentBytesMax else { throw FrameFault("a frame is too long") }
        guard bytes.readableBytes >= Self.headBytes + length else { return nil }
        bytes.moveReaderIndex(forwardBy: Self.headBytes)
        guard let content = bytes.readSlice(length: length) else { return nil }
        return try frame(
            UInt8(truncatingIfNeeded: lengthAndKind),
            flags,
            number & 0x7FFF_FFFF,
            content
        )
    }

    private mutating func frame(
        _ kind: UInt8,
        _ flags: UInt8,
        _ stream: UInt32,
        _ content: ByteBuffer
    ) throws(FrameFault) -> ServiceFrame {
        guard open == nil || kind == ServiceFrame.Kind.continuation else {
            throw FrameFault("a frame within a header block")
        }
        switch kind {
        case ServiceFrame.Kind.data:
            try Self.require(isOfStream: true, stream)
            return .data(
                stream: stream,
                try Self.unpadded(content, flags),
                size: content.readableBytes,
                endsStream: flags & ServiceFrame.Flag.endStream != 0
            )
        case ServiceFrame.Kind.headers: return try headers(content, flags, stream)
        case ServiceFrame.Kind.continuation: return try continuation(content, flags, stream)
        case ServiceFrame.Kind.push: throw FrameFault("a push, which was not allowed")
        case ServiceFrame.Kind.reset:
            try Self.require(isOfStream: true, stream)
            return .reset(stream: stream, code: try Self.number(content, of: 4))
        case ServiceFrame.Kind.settings: return try Self.settings(content, flags, stream)
        case ServiceFrame.Kind.ping:
            try Self.require(isOfStream: false, stream)
            guard content.readableBytes == 8,
                let data = content.getInteger(at: content.readerIndex, as: UInt64.self)
            else { throw FrameFault("a frame of the wrong size") }
            return flags & ServiceFrame.Flag.acknowledged != 0 ? .nothing : .ping(data)
        case ServiceFrame.Kind.goAway: return try Self.goAway(content, stream)
        case ServiceFrame.Kind.windowUpdate:
            let increment = try Self.number(content, of: 4) & 0x7FFF_FFFF
            guard increment > 0 else { throw FrameFault("a window that grows by nothing") }
            return .windowUpdate(stream: stream, increment: Int(increment))
        // Priorities, and types that came later.
        default: return .nothing
        }
    }

    // MARK: Header blocks

    private mutating func headers(
        _ content: ByteBuffer,
        _ flags: UInt8,
        _ stream: UInt32
    ) throws(FrameFault) -> ServiceFrame {
        try Self.require(isOfStream: true, stream)
        var block = try Self.unpadded(content, flags)
        if flags & ServiceFrame.Flag.priority != 0 {
            guard block.readableBytes >= 5 else { throw FrameFault("a frame of the wrong size") }
            block.moveReaderIndex(forwardBy: 5)
        }
        let endsStream = flags & ServiceFrame.Flag.endStream != 0
        guard flags & ServiceFrame.Flag.endHeaders != 0 else {
            open = OpenBlock(stream: stream, endsStream: endsStream, bytes: block)
            return .nothing
        }
        return .headers(stream: stream, block: block, endsStream: endsStream)
    }

    private mutating func continuation(
        _ content: ByteBuffer,
        _ flags: UInt8,
        _ stream: UInt32
    ) throws(FrameFault) -> ServiceFrame {
        guard var block = open, block.stream == stream else {
            throw FrameFault("the rest of no header block")
        }
        open = nil
        block.frames += 1
        guard block.frames <= Self.block.framesMax else {
            throw FrameFault("a header block is too long")
        }
        // Without a table, no later block needs what is left out.
        block.isTooLong =
            block.isTooLong
            || block.bytes.readableBytes + content.readableBytes > Self.block.bytesMax
        if block.isTooLong {
            block.bytes = ByteBuffer()
        } else {
            block.bytes.writeImmutableBuffer(content)
        }
        guard flags & ServiceFrame.Flag.endHeaders != 0 else {
            open = block
            return .nothing
        }
        guard !block.isTooLong else {
            return .tooLong(stream: block.stream, endsStream: block.endsStream)
        }
        return .headers(stream: stream, block: block.bytes, endsStream: block.endsStream)
    }

    // MARK: Parts

    private static func settings(
        _ content: ByteBuffer,
        _ flags: UInt8,
        _ stream: UInt32
    ) throws(FrameFault) -> ServiceFrame {
        try require(isOfStream: false, stream)
        let isAcknowledgement = flags & ServiceFrame.Flag.acknowledged != 0
        guard content.readableBytes % 6 == 0, !isAcknowledgement || content.readableBytes == 0
        else { throw FrameFault("a frame of the wrong size") }
        guard !isAcknowledgement else { return .nothing }
        var rest = content
        var found: [(identifier: UInt16, value: UInt32)] = []
        while let identifier = rest.readInteger(as: UInt16.self),
            let value = rest.readInteger(as: UInt32.self)
        {
            found.append((identifier, value))
        }
        return .settings(found)
    }

    private static func goAway(
        _ content: ByteBuffer,
        _ stream: UInt32
    ) throws(FrameFault) -> ServiceFrame {
        try require(isOfStream: false, stream)
        var rest = content
        guard let last = rest.readInteger(as: UInt32.self),
            let code = rest.readInteger(as: UInt32.self)
        else { throw FrameFault("a frame of the wrong size") }
        return .goAway(last: last & 0x7FFF_FFFF, code: code, reason: rest)
    }

    private static func require(isOfStream: Bool, _ stream: UInt32) throws(FrameFault) {
        // A service begins no stream, so its frames are of the client's, which are odd.
        guard isOfStream ? stream % 2 == 1 : stream == 0 else {
            throw FrameFault("a frame of stream \(stream)")
        }
    }

    private static func number(
        _ content: ByteBuffer,
        of size: Int
    ) throws(FrameFault) -> UInt32 {
        guard content.readableBytes == size,
            let number = content.getInteger(at: content.readerIndex, as: UInt32.self)
        else { throw FrameFault("a frame of the wrong size") }
        return number
    }

    /// Content without padding, whose size is in its first byte.
    private static func unpadded(
        _ content: ByteBuffer,
        _ flags: UInt8
    ) throws(FrameFault) -> ByteBuffer {
        guard flags & ServiceFrame.Flag.padded != 0 else { return content }
        var rest = content
        guard let size = rest.readInteger(as: UInt8.self),
            let bare = rest.readSlice(length: max(0, rest.readableBytes - Int(size))),
            bare.readableBytes + Int(size) == rest.readableBytes + bare.readableBytes
        else { throw FrameFault("more padding than content") }
        return bare
    }
}
