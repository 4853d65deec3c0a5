/// RESULT: the answer to the request whose id is in the header.
///
///     status: u16 | slot: u16 | retry_after_ms: u32 | etag: u64 | expires: u32 | applied: u16
///     | zero: u16 | handle: bytes8 | detail: str8                      big-endian, Protocol §4.12
package struct ResultFrame: Equatable, Sendable {
    /// 0 is success, otherwise an `ErrorNumber` or one that is unknown here.
    package var status: UInt16
    /// The slot of the request; 0xFFFF where it had none or named all.
    package var slot: UInt16
    /// Milliseconds to wait at least before trying again.
    package var retryAfter: UInt32
    /// State of all the device's own slots after the request.
    package var etag: UInt64
    /// Seconds until the registration expires; 0 is never.
    package var expires: UInt32
    /// Tags of the slot, or receipts taken.
    package var applied: UInt16
    /// The push handle where the request made one, otherwise empty; a secret.
    package var handle: [UInt8]
    /// The refused field and the reason, for a person; cut at `detailBytesMax` bytes.
    package var detail: String

    /// Success, or the refusal that `status` names.
    package init(
        status: ErrorNumber?,
        slot: UInt16,
        retryAfter: UInt32 = 0,
        etag: UInt64 = 0,
        expires: UInt32 = 0,
        applied: UInt16 = 0,
        handle: [UInt8] = [],
        detail: String = ""
    ) {
        self.status = status?.rawValue ?? 0
        self.slot = slot
        self.retryAfter = retryAfter
        self.etag = etag
        self.expires = expires
        self.applied = applied
        self.handle = handle
        self.detail = detail
    }

    /// Refuses anything that is not exactly one RESULT body.
    package init(decoding body: Span<UInt8>, header: FrameHeader) throws(WireError) {
        var reader = WireReader(body, of: .result)
        status = try reader.u16()
        slot = try reader.u16()
        retryAfter = try reader.u32()
        etag = try reader.u64()
        expires = try reader.u32()
        applied = try reader.u16()
        try reader.zero(2)
        handle = reader.copy(try reader.bytes8(max: WireLimits.resultHandleBytesMax))
        detail = try reader.text8(max: WireLimits.detailBytesMax)
        try reader.finish(header)
    }

    /// Appends the frame; a detail that is too long is cut, a handle too long traps.
    package func encode(into bytes: inout [UInt8], ref: UInt16) {
        precondition(ref != 0, "an answer needs the id of its request")
        precondition(handle.count <= WireLimits.resultHandleBytesMax, "handle too long")
        let frame = WireWriter(.result, ref: ref, into: &bytes)
        bytes.appendInteger(status)
        bytes.appendInteger(slot)
        bytes.appendInteger(retryAfter)
        bytes.appendInteger(etag)
        bytes.appendInteger(expires)
        bytes.appendInteger(applied)
        bytes.appendInteger(UInt16(0))
        bytes.appendBytes8(handle)
        bytes.appendDetail(detail, max: WireLimits.detailBytesMax)
        frame.finish(&bytes)
    }
}
