import NIOCore

/// A frame of a service, as far as a client has to know it.
///
/// Source: RFC 9113 §6.
enum ServiceFrame {
    /// The whole header block, with those of CONTINUATION frames.
    case headers(stream: UInt32, block: ByteBuffer, endsStream: Bool)
    /// `size` counts against windows: padding too.
    case data(stream: UInt32, ByteBuffer, size: Int, endsStream: Bool)
    case reset(stream: UInt32, code: UInt32)
    /// Pairs of identifier and value.
    case settings([(identifier: UInt16, value: UInt32)])
    case ping(UInt64)
    case goAway(last: UInt32, code: UInt32, reason: ByteBuffer)
    case windowUpdate(stream: UInt32, increment: Int)
    /// An acknowledgement, or a frame that says nothing to a client.
    case nothing

    /// The numbers of types.
    enum Kind {
        static let (data, headers, reset, settings): (UInt8, UInt8, UInt8, UInt8) = (0, 1, 3, 4)
        static let (push, ping, goAway): (UInt8, UInt8, UInt8) = (5, 6, 7)
        static let (windowUpdate, continuation): (UInt8, UInt8) = (8, 9)
    }

    /// Bits of flags.
    enum Flag {
        static let (endStream, acknowledged): (UInt8, UInt8) = (0x1, 0x1)
        static let (endHeaders, padded, priority): (UInt8, UInt8, UInt8) = (0x4, 0x8, 0x20)
    }

    /// Identifiers of settings.
    enum Setting {
        static let (headerTable, push, streams): (UInt16, UInt16, UInt16) = (1, 2, 3)
        static let (window, frame, headerList): (UInt16, UInt16, UInt16) = (4, 5, 6)
    }

    /// Codes of errors.
    enum Code {
        static let (none, protocolError, internalError): (UInt32, UInt32, UInt32) = (0, 1, 2)
        static let (refusedStream, cancel): (UInt32, UInt32) = (7, 8)
    }

    /// The largest window.
    static let windowMax = Int(Int32.max)
}
