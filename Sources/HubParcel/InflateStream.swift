import CZlib

/// A zlib decompressor state for raw deflate, reset for each use.
///
/// Owns one heap block, because zlib insists that a stream keeps its address.
@safe struct InflateStream: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>

    init() {
        // The pointer owns its allocation until deinit, and zlib sees only a zeroed stream.
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        // Only a lack of memory or a foreign zlib can fail here; neither can be answered.
        let status = unsafe inflateInit2_(stream, -ParcelLimits.windowBits, ZLIB_VERSION, size)
        precondition(status == Z_OK, "inflateInit2: \(status)")
    }

    deinit {
        // Initialised in init, and no other code has the pointer.
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Inflates all of `source` to exactly `length` bytes.
    ///
    /// - Throws: `.inflateLimit` when the stream yields more than `length` bytes, `.inflateFailed`
    ///   for any other deviation.
    func inflate(
        _ source: Span<UInt8>,
        exactly length: Int,
        dictionary: [UInt8]
    ) throws(ParcelError) -> [UInt8] {
        prepare(dictionary: dictionary)
        var status = Z_OK
        var isOverlong = false
        // Input and output stay in place for the one call that uses them, with their true sizes;
        // a capacity of 1 for a length of 0 gives zlib a non-null pointer.
        let payload = unsafe [UInt8](unsafeUninitializedCapacity: max(length, 1)) { output, count in
            unsafe source.withUnsafeBufferPointer { input in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(input.count)
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = UInt32(length)
                status = unsafe CZlib.inflate(stream, Z_FINISH)
                let isFull = unsafe stream.pointee.avail_out == 0
                isOverlong = status != Z_STREAM_END && isFull && yieldsMore()
            }
            let unused = unsafe Int(stream.pointee.avail_out)
            // zlib has initialised what it says it has written.
            count = status == Z_STREAM_END ? length - unused : 0
        }
        guard !isOverlong else { throw .inflateLimit }
        let unread = unsafe stream.pointee.avail_in
        guard status == Z_STREAM_END, unread == 0, payload.count == length
        else { throw .inflateFailed }
        return payload
    }

    private func prepare(dictionary: [UInt8]) {
        let reset = unsafe inflateReset(stream)
        precondition(reset == Z_OK, "inflateReset: \(reset)")
        guard !dictionary.isEmpty else { return }
        // zlib copies the dictionary during the call.
        let primed = unsafe dictionary.withUnsafeBufferPointer { bytes in
            unsafe inflateSetDictionary(stream, bytes.baseAddress, UInt32(bytes.count))
        }
        precondition(primed == Z_OK, "inflateSetDictionary: \(primed)")
    }

    /// Whether the stream, whose output is full and whose input is still in place, has another
    /// byte to give.
    private func yieldsMore() -> Bool {
        var spare: UInt8 = 0
        // The one byte lives for the one call that may write it.
        return unsafe withUnsafeMutablePointer(to: &spare) { spare in
            unsafe stream.pointee.next_out = spare
            unsafe stream.pointee.avail_out = 1
            _ = unsafe CZlib.inflate(stream, Z_FINISH)
            defer { unsafe stream.pointee.avail_out = 0 }
            return unsafe stream.pointee.avail_out == 0
        }
    }
}
