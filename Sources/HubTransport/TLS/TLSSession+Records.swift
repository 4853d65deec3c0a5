import COpenSSL
import TLSRecords

// Records without an `SSL` object.
extension TLSSession {
    /// Whether records are sealed without OpenSSL's session.
    var isHandedOver: Bool { unsafe records != nil }

    /// Goes on without the `SSL` object, whose handshake has just ended, and frees it.
    ///
    /// Returns false, with nothing changed, when anything was sealed, opened or received since the
    /// keys changed. Another suite than ours gives false too.
    mutating func handOver(
        to layer: UnsafeMutablePointer<RecordLayer>,
        on wire: SharedWire
    ) -> Bool {
        guard let cipher = wire.cipher else { return false }
        var secrets = belfry_secrets()
        // A value of this frame, wiped before it goes.
        defer { unsafe OPENSSL_cleanse(&secrets, MemoryLayout<belfry_secrets>.size) }
        // `ssl` is alive, and the call fills `secrets`.
        guard unsafe belfry_session_take_secrets(ssl, &secrets) == 1,
            let suite = CipherSuite(rawValue: secrets.suite), cipher.has(suite)
        else { return false }
        unsafe layer.initialize(to: RecordLayer())
        let count = Int(secrets.count)
        // Both secrets have at least `count` bytes, borrowed for the calls.
        let isBegun = unsafe withUnsafeBytes(of: &secrets.client) { client in
            unsafe withUnsafeBytes(of: &secrets.server) { server in
                let client = unsafe Span(
                    _unsafeElements: client.assumingMemoryBound(to: UInt8.self)
                )
                let server = unsafe Span(
                    _unsafeElements: server.assumingMemoryBound(to: UInt8.self)
                )
                return unsafe layer.pointee.begin(
                    suite,
                    receivingSecret: client.extracting(0..<count),
                    sendingSecret: server.extracting(0..<count),
                    with: cipher
                )
            }
        }
        guard isBegun else {
            cipher.forget()
            unsafe OPENSSL_cleanse(layer, MemoryLayout<RecordLayer>.stride)
            return false
        }
        // The only reference, and every question to it has been answered. The memory that it frees
        // is wiped, see Memory.c.
        unsafe SSL_free(ssl)
        unsafe ssl = nil
        unsafe records = layer
        return true
    }

    /// Whether the connection should end before its key is used up.
    func isWorn(_ limits: RecordLimits) -> Bool {
        // The layer is the table's, and the session's alone until it ends.
        guard let records = unsafe records else { return false }
        return unsafe records.pointee.isWorn(limits)
    }

    /// Opens records up to the first with data.
    func openOwn(
        into space: UnsafeMutableBufferPointer<UInt8>,
        on wire: SharedWire,
        at nanoseconds: UInt64
    ) -> Opened {
        // See `isWorn`.
        guard let records = unsafe records, let cipher = wire.cipher else { return .failed }
        while true {
            // The input is not written to during the call, and `space` is other memory.
            var output = unsafe OutputSpan(buffer: space, initializedCount: 0)
            let (result, consumed) = unsafe records.pointee.open(
                Span(_unsafeElements: wire.input),
                into: &output,
                at: nanoseconds,
                within: wire.recordLimits,
                with: cipher
            )
            let count = unsafe output.finalize(for: space)
            wire.consume(consumed)
            switch result {
            case .needsMore: return .wantsInput
            case .data: if count > 0 { return .bytes(count) }
            case .nothing, .keyUpdate(isAnswerWanted: false): break
            case .keyUpdate(isAnswerWanted: true):
                let isAnswered = wire.append(upTo: RecordLayer.messageBytesMax) {
                    unsafe records.pointee.sealKeyUpdate(into: &$0, with: cipher)
                }
                if !isAnswered { return .failed }
            case .closed: return .closedByPeer
            case .alerted: return .failed
            case .failed(let alert):
                sealOwn(alert, on: wire)
                return .failed
            }
        }
    }

    /// Seals plaintext; false when the key is used up or memory is short.
    func sealOwn(_ bytes: UnsafeBufferPointer<UInt8>, on wire: SharedWire) -> Bool {
        // See `isWorn`.
        guard let records = unsafe records, let cipher = wire.cipher else { return false }
        let limits = wire.recordLimits
        return wire.append(upTo: RecordLayer.sealedBytes(bytes.count)) {
            // The bytes are borrowed for the call and are not the wire's.
            unsafe records.pointee.seal(
                Span(_unsafeElements: bytes),
                into: &$0,
                within: limits,
                with: cipher
            )
        }
    }

    /// Seals an alert, if there is memory for it.
    func sealOwn(_ alert: Alert, on wire: SharedWire) {
        // See `isWorn`.
        guard let records = unsafe records, let cipher = wire.cipher else { return }
        _ = wire.append(upTo: RecordLayer.messageBytesMax) {
            unsafe records.pointee.seal(alert, into: &$0, with: cipher)
        }
    }
}
