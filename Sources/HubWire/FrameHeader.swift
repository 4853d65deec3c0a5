/// The eight bytes in front of a body, after all checks that need no body.
///
///     | type: u8 | flags: u8 | ref: u16 | length: u32 |   big-endian, Protocol [F-6]
package struct FrameHeader: Equatable, Sendable {
    /// Which frame it is.
    package let type: FrameType
    /// Flag bits as received; see `hasOptions`.
    package let flags: UInt8
    /// Request id of requests and their answers, otherwise 0.
    package let ref: UInt16
    /// Bytes of the body.
    package let length: Int

    /// A header that has passed the checks.
    package init(type: FrameType, flags: UInt8, ref: UInt16, length: Int) {
        self.type = type
        self.flags = flags
        self.ref = ref
        self.length = length
    }

    /// Bytes of header and body together.
    package var totalBytes: Int { WireLimits.frameHeaderBytes + length }

    /// Whether the body ends in an options block.
    package var hasOptions: Bool { flags & FrameFlag.hasOptions != 0 }

    /// The body in the bytes that `FrameDecoder.step` was given.
    @_lifetime(copy bytes)
    package func body(of bytes: Span<UInt8>) -> Span<UInt8> {
        bytes.extracting(WireLimits.frameHeaderBytes..<totalBytes)
    }
}
