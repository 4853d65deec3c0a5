package import NIOCore

/// A frame of a service, as far as a client has to know it.
///
/// Source: RFC 9113 §6.
package enum ServiceFrame {
    /// The whole header block, with those of CONTINUATION frames.
    case headers(stream: UInt32, block: ByteBuffer, endsStream: Bool)
    /// A header block that is longer than any that is read; the connection goes on.
    case tooLong(stream: UInt32, endsStream: Bool)
    /// `size` counts against windows: padding too.
    case data(stream: UInt32, ByteBuffer, size: Int, endsStream: Bool)
    /// A stream ends with an error's code.
    case reset(stream: UInt32, code: UInt32)
    /// Pairs of identifier and value.
    case settings([(identifier: UInt16, value: UInt32)])
    /// A question of 8 bytes, which wants them back.
    case ping(UInt64)
    /// The service takes no stream behind the last any more.
    case goAway(last: UInt32, code: UInt32, reason: ByteBuffer)
    /// So much more may be sent: on a stream, or for 0 on the connection.
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
    package enum Setting {
        /// Bytes of a header table, whether streams may be pushed, streams at once.
        package static let (headerTable, push, streams): (UInt16, UInt16, UInt16) = (1, 2, 3)
        /// A stream's window, bytes of a frame, bytes of headers.
        package static let (window, frame, headerList): (UInt16, UInt16, UInt16) = (4, 5, 6)
    }

    /// Codes of errors.
    package enum Code {
        /// No error, a breach of HTTP/2.
        package static let (none, protocolError): (UInt32, UInt32) = (0, 1)
        /// A fault of the service.
        package static let internalError: UInt32 = 2
        /// A stream that was not processed, one that is not wanted any more.
        package static let (refusedStream, cancel): (UInt32, UInt32) = (7, 8)
    }

    /// The largest window.
    package static let windowMax = Int(Int32.max)
}
