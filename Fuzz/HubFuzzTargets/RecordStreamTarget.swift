import TLSRecords

/// A stream of TLS records as it comes from the wire, with a cipher that hides nothing.
///
/// What is behind a header is the text itself, so that the fuzzer sees content, types, padding and
/// handshake messages, and is quick enough for very many inputs. The first byte chooses the suite
/// and where the stream is cut.
///
/// Properties: no more is consumed than there is; only data is given away, and never more than came;
/// the limits hold; and what becomes of a stream does not depend on where it is cut.
package func fuzzRecordStream(_ bytes: Span<UInt8>) {
    guard !bytes.isEmpty else { return }
    let stream = bytes.dropping(1)
    let suite = CipherSuite.allCases[Int(bytes[0]) % CipherSuite.allCases.count]
    let whole = ReadStream(stream, cut: stream.count, suite: suite)
    let cut = min(stream.count, Int(bytes[0] >> 2))
    let parts = ReadStream(stream, cut: cut, suite: suite)
    precondition(whole == parts, "\(whole), cut at \(cut) \(parts)")
}

/// What became of a stream.
private struct ReadStream: Equatable {
    private var consumed = 0
    private var records = 0
    private var updates = 0
    private var empties = 0
    private var dataBytes = 0
    private var dataHash: UInt64 = 0xCBF2_9CE4_8422_2325
    private var end: RecordLayer.Opened?

    init(_ stream: Span<UInt8>, cut: Int, suite: CipherSuite) {
        let cipher = OpenCipher()
        let limits = RecordLimits()
        var layer = RecordLayer()
        let secret = [UInt8](repeating: 0, count: suite.hash.bytes)
        let isBegun = layer.begin(
            suite,
            receivingSecret: secret.span,
            sendingSecret: secret.span,
            with: cipher
        )
        precondition(isBegun, "no keys")
        var available = cut
        while end == nil {
            let isTaken = take(stream.keeping(available), from: &layer, limits, cipher)
            if !isTaken, available == stream.count { break }
            if !isTaken { available = stream.count }
        }
        precondition(dataBytes <= consumed, "\(dataBytes) bytes out of \(consumed)")
        precondition(updates <= limits.keyUpdatesPerMinute, "\(updates) updates")
        precondition(empties <= limits.emptyRecordsPerMinute, "\(empties) empty records")
    }

    /// Takes a record, if a whole one is there.
    private mutating func take(
        _ stream: Span<UInt8>,
        from layer: inout RecordLayer,
        _ limits: RecordLimits,
        _ cipher: OpenCipher
    ) -> Bool {
        let input = stream.dropping(consumed)
        var result = RecordLayer.Opened.needsMore
        var taken = 0
        let opened = [UInt8](capacity: min(input.count, RecordLimits.ciphertextBytesMax)) {
            output in
            (result, taken) = layer.open(input, into: &output, at: 0, within: limits, with: cipher)
        }
        precondition(taken <= input.count, "\(taken) of \(input.count) bytes")
        precondition(result == .data || opened.isEmpty, "\(result) gave data")
        precondition(opened.count <= RecordLimits.plaintextBytesMax, "\(opened.count) bytes")
        consumed += taken
        switch result {
        case .needsMore:
            precondition(taken == 0, "\(taken) bytes of a part")
            return false
        case .data:
            empties += opened.isEmpty ? 1 : 0
            dataBytes += opened.count
            for byte in opened { dataHash = (dataHash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
        case .nothing: break
        case .keyUpdate: updates += 1
        case .closed, .failed, .alerted: end = result
        }
        records += 1
        return true
    }
}

/// Leaves text as it is; a tag that begins with 255 is wrong, any other right.
private final class OpenCipher: RecordCipher {
    func seal(
        _ text: Span<UInt8>,
        type: UInt8,
        header: Span<UInt8>,
        suite: CipherSuite,
        key: Span<UInt8>,
        nonce: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) -> Bool {
        preconditionFailure("nothing is sealed here")
    }

    func open(
        _ sealed: Span<UInt8>,
        header: Span<UInt8>,
        suite: CipherSuite,
        key: Span<UInt8>,
        nonce: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) -> Bool {
        let count = sealed.count - RecordLimits.tagBytes
        guard sealed[count] != 255 else { return false }
        for index in 0..<count { output.append(sealed[index]) }
        return true
    }

    func authenticate(
        _ message: Span<UInt8>,
        key: Span<UInt8>,
        hash: HashFunction,
        count: Int,
        into code: inout MutableSpan<UInt8>
    ) -> Bool {
        for index in 0..<count { code[index] = 0 }
        return true
    }

    func wipe(_ bytes: inout MutableSpan<UInt8>) {
        for index in bytes.indices { bytes[index] = 0 }
    }
}
