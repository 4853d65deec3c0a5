import CLinux
import COpenSSL

/// The ciphertext buffers between all sessions of a reactor and their sockets.
///
/// Input holds what one socket gave and is used up before the next socket is read. Output
/// gathers what sessions sealed until it is submitted.
@safe final class SharedWire {
    /// For OpenSSL's shims only; alive as long as this object.
    let pointer: UnsafeMutablePointer<belfry_wire>

    init() throws(TransportError) {
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

    /// Replaces the input by what the socket has; the count, 0 at the end of the stream, or a
    /// negative errno.
    func receive(from descriptor: Int32) -> Int {
        let wire = unsafe pointer
        // The call writes at most `input_capacity` bytes.
        let count = unsafe belfry_receive(
            descriptor,
            wire.pointee.input,
            wire.pointee.input_capacity
        )
        unsafe wire.pointee.input_start = 0
        unsafe wire.pointee.input_end = max(0, count)
        return count
    }

    /// Forgets received bytes that nobody wants any more.
    func dropInput() { unsafe pointer.pointee.input_start = pointer.pointee.input_end }

    /// Forgets sealed bytes behind `count`.
    func truncateOutput(to count: Int) { unsafe pointer.pointee.output_end = count }
}
