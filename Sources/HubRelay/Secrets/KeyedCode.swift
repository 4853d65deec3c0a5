import COpenSSL

/// HMAC-SHA256 under one key, by OpenSSL's own functions.
///
/// A relay computes some dozen codes for a notification; behind the generic interface of `Crypto` each
/// takes several times as long.
struct KeyedCode: Sendable {
    private static let codeBytes = 32
    /// The bytes of a handle, and the most in front of its device in the text of its code.
    private static let (handleBytes, prefixBytesMax) = (32, 163)

    /// The states of both hashes behind the key, which is taken in once.
    private let start: belfry_code

    /// Takes a key of 64 bytes at most.
    init(key: [UInt8]) {
        var start = belfry_code()
        // The key is read before the call returns, and 64 bytes of it at most.
        let isTaken = unsafe belfry_code_begin(&start, key, key.count)
        precondition(isTaken == 1, "a key of \(key.count) bytes")
        self.start = start
    }

    /// The code of a text, 32 bytes.
    func code(of text: [UInt8]) -> [UInt8] {
        var start = start
        var code = [UInt8](repeating: 0, count: Self.codeBytes)
        // All three outlive the call, which writes as many bytes as the last has.
        unsafe belfry_code_end(&start, text, text.count, &code)
        return code
    }

    /// Whether a handle's 32 bytes end as the code of `prefix`, its first 16 bytes and one of these
    /// numbers begins.
    func made(
        _ handle: [UInt8],
        behind prefix: [UInt8],
        in generations: ClosedRange<UInt32>
    ) -> Bool {
        precondition(handle.count == Self.handleBytes && prefix.count <= Self.prefixBytesMax)
        var start = start
        // All three outlive the call, which reads 32 bytes of the handle.
        return unsafe belfry_code_made(
            &start,
            prefix,
            prefix.count,
            handle,
            generations.lowerBound,
            generations.upperBound
        ) == 1
    }
}
