import CLinux
import COpenSSL
import TLSRecords

/// The ciphertext buffers between all sessions of a reactor and their sockets.
///
/// Input holds what one socket gave and is used up before the next socket is read. Output
/// gathers what sessions sealed until it is submitted.
@safe final class SharedWire {
    /// For OpenSSL's shims only; alive as long as this object.
    let pointer: UnsafeMutablePointer<belfry_wire>
    /// The cipher of sessions that were released; nil when none is.
    let cipher: OpenSSLCipher?
    /// The most that the records of such a session may cost.
    let recordLimits: RecordLimits

    init(sealing: RecordSealing, limits: RecordLimits) throws(TransportError) {
        // A connection counts them in so few bits; beyond, no limit would hold.
        precondition(
            limits.keyUpdatesPerMinute < Int(UInt16.max)
                && limits.emptyRecordsPerMinute < Int(UInt16.max)
                && limits.idleAlerts < Int(UInt8.max)
        )
        cipher = sealing == .own ? try OpenSSLCipher() : nil
        recordLimits = limits
        guard
            let wire = unsafe belfry_wire_new(
                BufferSizes.input,
                2 * BufferSizes.sealedBatch,
                BufferSizes.sealedBatchLimit
            )
        else { throw .system("malloc", code: 12) }
        unsafe pointer = wire
    }

    deinit {
        // Every session is freed before its reactor lets the wire go.
        unsafe belfry_wire_free(pointer)
    }

    /// Whether sessions have used up what was received.
    var isInputEmpty: Bool {
        unsafe pointer.pointee.input_start == pointer.pointee.input_end
    }

    /// Sealed bytes that wait.
    var outputCount: Int { unsafe pointer.pointee.output_end }

    /// Where sealed bytes are; valid until the next session writes.
    var output: UnsafePointer<UInt8> { unsafe UnsafePointer(pointer.pointee.output) }

    /// Received bytes that wait; valid until the next one is received.
    var input: UnsafeBufferPointer<UInt8> {
        // Start and end lie within the input's memory.
        unsafe UnsafeBufferPointer(
            start: pointer.pointee.input + pointer.pointee.input_start,
            count: pointer.pointee.input_end - pointer.pointee.input_start
        )
    }

    /// Replaces the input by `begun` and what the socket has behind it; the count of what it had,
    /// 0 at the end of the stream, or a negative errno.
    ///
    /// `begun` is less than a record.
    func receive(from descriptor: Int32, behind begun: [UInt8] = []) -> Int {
        let wire = unsafe pointer
        precondition(begun.count < BufferSizes.input / 2, "a record of \(begun.count) bytes")
        unsafe begun.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            // Less than half of the input's memory, see above.
            unsafe wire.pointee.input.update(from: start, count: source.count)
        }
        // The call writes at most what is left behind `begun`.
        let count = unsafe belfry_receive(
            descriptor,
            wire.pointee.input + begun.count,
            wire.pointee.input_capacity - begun.count
        )
        unsafe wire.pointee.input_start = 0
        unsafe wire.pointee.input_end = begun.count + max(0, count)
        return count
    }

    /// Takes `count` bytes off the front of the input.
    func consume(_ count: Int) {
        precondition(unsafe count <= input.count, "no \(count) bytes of input")
        unsafe pointer.pointee.input_start += count
    }

    /// Has `fill` append at most `count` bytes to the output; false, with nothing appended, when
    /// it says so or there is no room.
    func append(upTo count: Int, _ fill: (inout OutputSpan<UInt8>) -> Bool) -> Bool {
        guard let space = unsafe belfry_wire_reserve(pointer, count) else { return false }
        let buffer = unsafe UnsafeMutableBufferPointer(start: space, count: count)
        // The memory was reserved for this count, and no other code writes there meanwhile.
        var span = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
        let isFilled = fill(&span)
        let added = unsafe span.finalize(for: buffer)
        if isFilled { unsafe pointer.pointee.output_end += added }
        return isFilled
    }

    /// Forgets received bytes that have no reader any more.
    func dropInput() { unsafe pointer.pointee.input_start = pointer.pointee.input_end }

    /// Forgets sealed bytes behind `count`.
    func truncateOutput(to count: Int) { unsafe pointer.pointee.output_end = count }
}
