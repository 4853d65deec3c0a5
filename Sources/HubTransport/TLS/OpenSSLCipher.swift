import COpenSSL
package import TLSRecords

/// OpenSSL's ciphers and HMAC for records that are sealed outside of its sessions.
///
/// One for each reactor, used on its thread: a context that is given a key for each record is
/// faster than one for each connection, since it stays in the cache.
@safe package final class OpenSSLCipher: RecordCipher {
    private let contexts: OpaquePointer

    /// Contexts for all suites.
    /// - Throws: `.system` when memory is short.
    package init() throws(TransportError) {
        guard let made = unsafe belfry_cipher_new() else { throw .system("malloc", code: 12) }
        unsafe contexts = made
    }

    /// Whether OpenSSL has the suite's cipher; without it nothing of that suite may be sealed.
    func has(_ suite: CipherSuite) -> Bool {
        // Alive as long as this object.
        unsafe belfry_cipher_has(contexts, suite.rawValue) == 1
    }

    deinit {
        // Owned since init; OpenSSL wipes the keys in the contexts.
        unsafe belfry_cipher_free(contexts)
    }

    package func seal(
        _ text: Span<UInt8>,
        type: UInt8,
        header: Span<UInt8>,
        suite: CipherSuite,
        key: Span<UInt8>,
        nonce: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) -> Bool {
        let count = text.count + 1 + RecordLimits.tagBytes
        precondition(key.count == suite.keyBytes && nonce.count == RecordLimits.nonceBytes)
        precondition(output.freeCapacity >= count, "no room to seal \(text.count) bytes")
        // The spans are borrowed for the call, which writes `count` bytes behind what is there.
        return unsafe output.withUnsafeMutableBufferPointer { space, used in
            let isSealed = unsafe text.withUnsafeBufferPointer { text in
                unsafe header.withUnsafeBufferPointer { header in
                    unsafe key.withUnsafeBufferPointer { key in
                        unsafe nonce.withUnsafeBufferPointer { nonce in
                            unsafe belfry_cipher_seal(
                                contexts,
                                suite.rawValue,
                                key.baseAddress,
                                nonce.baseAddress,
                                header.baseAddress,
                                header.count,
                                text.baseAddress,
                                text.count,
                                type,
                                space.baseAddress?.advanced(by: used)
                            )
                        }
                    }
                }
            }
            if isSealed == 1 { used += count }
            return isSealed == 1
        }
    }

    package func open(
        _ sealed: Span<UInt8>,
        header: Span<UInt8>,
        suite: CipherSuite,
        key: Span<UInt8>,
        nonce: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) -> Bool {
        let count = sealed.count - RecordLimits.tagBytes
        precondition(key.count == suite.keyBytes && nonce.count == RecordLimits.nonceBytes)
        precondition(count > 0 && output.freeCapacity >= count, "no room to open \(count) bytes")
        // The spans are borrowed for the call, which writes `count` bytes behind what is there.
        return unsafe output.withUnsafeMutableBufferPointer { space, used in
            let isOpened = unsafe sealed.withUnsafeBufferPointer { sealed in
                unsafe header.withUnsafeBufferPointer { header in
                    unsafe key.withUnsafeBufferPointer { key in
                        unsafe nonce.withUnsafeBufferPointer { nonce in
                            unsafe belfry_cipher_open(
                                contexts,
                                suite.rawValue,
                                key.baseAddress,
                                nonce.baseAddress,
                                header.baseAddress,
                                header.count,
                                sealed.baseAddress,
                                sealed.count,
                                space.baseAddress?.advanced(by: used)
                            )
                        }
                    }
                }
            }
            if isOpened == 1 { used += count }
            return isOpened == 1
        }
    }

    package func authenticate(
        _ message: Span<UInt8>,
        key: Span<UInt8>,
        hash: HashFunction,
        count: Int,
        into code: inout MutableSpan<UInt8>
    ) -> Bool {
        precondition(count <= hash.bytes && count <= code.count, "no \(count) bytes of HMAC")
        // The spans are borrowed for the call, which writes `count` bytes.
        return unsafe code.withUnsafeMutableBufferPointer { code in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe key.withUnsafeBufferPointer { key in
                    unsafe belfry_cipher_authenticate(
                        contexts,
                        hash == .sha384 ? 1 : 0,
                        key.baseAddress,
                        key.count,
                        message.baseAddress,
                        message.count,
                        code.baseAddress,
                        count
                    ) == 1
                }
            }
        }
    }

    package func wipe(_ bytes: inout MutableSpan<UInt8>) {
        unsafe bytes.withUnsafeMutableBufferPointer {
            // Exactly the span's bytes.
            unsafe OPENSSL_cleanse($0.baseAddress, $0.count)
        }
    }

    /// Leaves nothing of the last record's key, or of the last secret, in the contexts.
    func forget() {
        // Alive as long as this object.
        unsafe belfry_cipher_forget(contexts)
    }
}
