/// ERROR: something was refused.
///
///     code: u16 (not 0) | eflags: u8 | about_type: u8 | retry_after_ms: u32 | limit: u32
///     | detail: str8                                                    big-endian, Protocol §4.7
package struct ErrorFrame: Equatable, Sendable {
    private static let fatalFlag: UInt8 = 0x01

    /// An `ErrorNumber`, or one that is unknown here.
    package var code: UInt16
    /// Whether the sender closes after it.
    package var isFatal: Bool
    /// Type of the frame that it is about; 0 is none.
    package var aboutType: UInt8
    /// Milliseconds to wait at least before trying again.
    package var retryAfter: UInt32
    /// The largest or smallest value allowed where a field was beyond it; otherwise 0.
    package var limit: UInt32
    /// A text for logs; cut at `detailBytesMax` bytes.
    package var detail: String

    /// A number with its class's default for closing, unless told otherwise.
    package init(
        _ number: ErrorNumber,
        isFatal: Bool? = nil,
        aboutType: UInt8 = 0,
        retryAfter: UInt32 = 0,
        limit: UInt32 = 0,
        detail: String = ""
    ) {
        code = number.rawValue
        self.isFatal = isFatal ?? number.isFatal
        self.aboutType = aboutType
        self.retryAfter = retryAfter
        self.limit = limit
        self.detail = detail
    }

    /// The ERROR by which a decoder tells the peer why it refused a frame.
    package init(_ error: WireError) {
        self.init(error.number, aboutType: error.aboutType, limit: error.limit)
    }

    /// Refuses anything that is not exactly one ERROR body.
    package init(decoding body: Span<UInt8>, header: FrameHeader) throws(WireError) {
        var reader = WireReader(body, of: .error)
        code = try reader.u16()
        try reader.require(code != 0)
        let flags = try reader.u8()
        guard flags & 0x0E == 0 else { throw reader.failure(.unknownFlag) }
        isFatal = flags & Self.fatalFlag != 0
        aboutType = try reader.u8()
        retryAfter = try reader.u32()
        limit = try reader.u32()
        detail = try reader.text8(max: WireLimits.detailBytesMax)
        try reader.finish(header)
    }

    /// Appends the frame; `ref` is 0 unless it answers a request, a detail too long is cut.
    package func encode(into bytes: inout [UInt8], ref: UInt16 = 0) {
        precondition(code != 0, "ERROR without a number")
        let frame = WireWriter(.error, ref: ref, into: &bytes)
        bytes.appendInteger(code)
        bytes.append(isFatal ? Self.fatalFlag : 0)
        bytes.append(aboutType)
        bytes.appendInteger(retryAfter)
        bytes.appendInteger(limit)
        bytes.appendDetail(detail, max: WireLimits.detailBytesMax)
        frame.finish(&bytes)
    }
}
