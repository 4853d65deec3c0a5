/// The keys of one direction of a connection, from one traffic secret to the next.
///
/// Made empty and filled where it stays, so that secrets are not copied about. The owner of the
/// memory wipes it.
package struct TrafficKeys: ~Copyable {
    /// Records sealed or opened with this key so far, which is also the next record's number.
    package private(set) var sequence: UInt64 = 0
    private var secret: [48 of UInt8] = .init(repeating: 0)
    private var key: [32 of UInt8] = .init(repeating: 0)
    private var vector: [12 of UInt8] = .init(repeating: 0)
    /// False until all of a key is derived, and for good when that has failed: a number must not come
    /// a second time with the key before.
    private var isUsable = false
    /// The agreed suite.
    package private(set) var suite = CipherSuite.aes128GCM

    /// No keys yet.
    package init() {}

    /// Derives the first keys from `secret`, which has as many bytes as the suite's hash.
    ///
    /// Returns false when the cipher is out of means.
    package mutating func begin(
        _ suite: CipherSuite,
        secret: Span<UInt8>,
        with cipher: any RecordCipher
    ) -> Bool {
        precondition(secret.count == suite.hash.bytes, "a secret of \(secret.count) bytes")
        self.suite = suite
        for index in secret.indices { self.secret[index] = secret[index] }
        return derive(with: cipher)
    }

    /// Goes on to the next secret and its keys.
    ///
    /// Source: RFC 8446 §7.2.
    package mutating func update(with cipher: any RecordCipher) -> Bool {
        var next: [48 of UInt8] = .init(repeating: 0)
        let bytes = suite.hash.bytes
        var space = next.mutableSpan
        let isDerived = Self.expand(
            secret.span.extracting(0..<bytes),
            label: "traffic upd",
            count: bytes,
            hash: suite.hash,
            into: &space,
            with: cipher
        )
        if isDerived {
            for index in 0..<bytes { secret[index] = space[index] }
        }
        cipher.wipe(&space)
        isUsable = isUsable && isDerived
        return isUsable && derive(with: cipher)
    }

    /// Appends a record with `text` and the content type `type` to `output`.
    ///
    /// Returns false, perhaps with a part appended, when the cipher is or was out of means.
    package mutating func seal(
        _ text: Span<UInt8>,
        type: UInt8,
        into output: inout OutputSpan<UInt8>,
        with cipher: any RecordCipher
    ) -> Bool {
        let length = text.count + 1 + RecordLimits.tagBytes
        precondition(length <= RecordLimits.ciphertextBytesMax, "a record of \(length) bytes")
        guard isUsable else { return false }
        let header: [5 of UInt8] = [23, 3, 3, UInt8(length >> 8), UInt8(length & 0xFF)]
        for index in header.indices { output.append(header[index]) }
        let nonce = Self.nonce(vector, sequence)
        sequence += 1
        return cipher.seal(
            text,
            type: type,
            header: header.span,
            suite: suite,
            key: key.span.extracting(0..<suite.keyBytes),
            nonce: nonce.span,
            into: &output
        )
    }

    /// Appends what a record's `sealed` part says, with content type and padding, to `output`.
    ///
    /// Returns false, with nothing appended, when it was not sealed with this key as the next one.
    package mutating func open(
        _ sealed: Span<UInt8>,
        header: Span<UInt8>,
        into output: inout OutputSpan<UInt8>,
        with cipher: any RecordCipher
    ) -> Bool {
        guard isUsable else { return false }
        let nonce = Self.nonce(vector, sequence)
        sequence += 1
        return cipher.open(
            sealed,
            header: header,
            suite: suite,
            key: key.span.extracting(0..<suite.keyBytes),
            nonce: nonce.span,
            into: &output
        )
    }

    /// The initialisation vector with the record's number folded in.
    ///
    /// Source: RFC 8446 §5.3. No number comes twice with a key: each use counts one up, and 2⁶⁴
    /// would trap. Is given what it needs, since a getter would copy the secret to the stack.
    private static func nonce(_ vector: [12 of UInt8], _ sequence: UInt64) -> [12 of UInt8] {
        var nonce = vector
        for index in 0..<8 {
            nonce[11 - index] ^= UInt8(truncatingIfNeeded: sequence >> UInt64(8 * index))
        }
        return nonce
    }

    private mutating func derive(with cipher: any RecordCipher) -> Bool {
        isUsable = false
        let hash = suite.hash
        let current = secret.span.extracting(0..<hash.bytes)
        var keySpace = key.mutableSpan
        let hasKey = Self.expand(
            current,
            label: "key",
            count: suite.keyBytes,
            hash: hash,
            into: &keySpace,
            with: cipher
        )
        var vectorSpace = vector.mutableSpan
        let hasVector = Self.expand(
            current,
            label: "iv",
            count: RecordLimits.nonceBytes,
            hash: hash,
            into: &vectorSpace,
            with: cipher
        )
        guard hasKey && hasVector else { return false }
        sequence = 0
        isUsable = true
        return true
    }

    /// HKDF-Expand-Label without a context, of at most one block.
    ///
    /// Source: RFC 8446 §7.1 and RFC 5869 §2.3.
    private static func expand(
        _ secret: Span<UInt8>,
        label: String,
        count: Int,
        hash: HashFunction,
        into output: inout MutableSpan<UInt8>,
        with cipher: any RecordCipher
    ) -> Bool {
        let name = Array("tls13 ".utf8) + Array(label.utf8)
        // Length, label, no context, and the number of the only block.
        let message = [0, UInt8(count), UInt8(name.count)] + name + [0, 1]
        return cipher.authenticate(
            message.span,
            key: secret,
            hash: hash,
            count: count,
            into: &output
        )
    }
}
