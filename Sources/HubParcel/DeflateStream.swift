import CZlib

/// A zlib compressor state that is never run itself: each use runs a copy of it.
///
/// Owns two heap blocks, because zlib insists that a stream keeps its address.
@safe struct DeflateStream: ~Copyable {
    private let origin: UnsafeMutablePointer<z_stream>
    private let working: UnsafeMutablePointer<z_stream>

    /// Raw deflate, level 6, window 13, memLevel 6: 71 KB; an empty dictionary primes nothing.
    init(dictionary: [UInt8]) {
        // Both pointers own their allocation until deinit, and zlib sees only zeroed streams.
        unsafe origin = .allocate(capacity: 1)
        unsafe working = .allocate(capacity: 1)
        unsafe origin.initialize(to: z_stream())
        unsafe working.initialize(to: z_stream())
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        let window = -ParcelLimits.windowBits
        // Only a lack of memory or a foreign zlib can fail here; neither can be answered.
        let status = unsafe deflateInit2_(
            origin,
            6,
            Z_DEFLATED,
            window,
            6,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            size
        )
        precondition(status == Z_OK, "deflateInit2: \(status)")
        guard !dictionary.isEmpty else { return }
        // zlib copies the dictionary during the call.
        let primed = unsafe dictionary.withUnsafeBufferPointer { source in
            unsafe deflateSetDictionary(origin, source.baseAddress, UInt32(source.count))
        }
        precondition(primed == Z_OK, "deflateSetDictionary: \(primed)")
    }

    deinit {
        // `origin` was initialised in init; `working` holds a state only inside `append`.
        unsafe deflateEnd(origin)
        unsafe origin.deallocate()
        unsafe working.deallocate()
    }

    /// Appends the compressed form of `source` if that is smaller, and says whether it was.
    func append(_ source: [UInt8], to bytes: inout [UInt8]) -> Bool {
        guard source.count > 1 else { return false }
        let start = bytes.count
        let room = source.count - 1
        bytes.append(contentsOf: repeatElement(0, count: room))
        // `working` is idle between calls; deflateCopy gives it a state that deflateEnd frees.
        let copied = unsafe deflateCopy(working, origin)
        precondition(copied == Z_OK, "deflateCopy: \(copied)")
        // Input and output stay in place for the one call that uses them, with their true sizes.
        let status = unsafe source.withUnsafeBufferPointer { input in
            unsafe bytes.withUnsafeMutableBufferPointer { output in
                unsafe working.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe working.pointee.avail_in = UInt32(input.count)
                unsafe working.pointee.next_out = output.baseAddress?.advanced(by: start)
                unsafe working.pointee.avail_out = UInt32(room)
                return unsafe deflate(working, Z_FINISH)
            }
        }
        let unused = unsafe Int(working.pointee.avail_out)
        unsafe deflateEnd(working)
        let shrunk = status == Z_STREAM_END
        bytes.removeLast(shrunk ? unused : room)
        return shrunk
    }
}
