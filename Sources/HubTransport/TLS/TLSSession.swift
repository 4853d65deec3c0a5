import COpenSSL
import TLSRecords

/// *Seal*: plaintext to records and back for one connection, through the reactor's shared wire.
///
/// Whatever a call has to say to the peer is appended to the wire's output. The handshake is
/// OpenSSL's; afterwards either its `SSL` object goes on, or it is freed and a record layer of our
/// own takes its place (`handOver`). A session with neither is empty.
@safe struct TLSSession: ~Copyable {
    /// Where a handshake stands.
    enum Handshake: Equatable {
        case wantsInput
        case done
        case failed(HandshakeFailure, verification: Int)
    }

    /// The result of opening received records.
    enum Opened: Equatable {
        case bytes(Int)
        case wantsInput
        case closedByPeer
        case failed
    }

    var ssl: OpaquePointer?
    /// In the table's memory, which outlives the session; wiped when it ends.
    var records: UnsafeMutablePointer<RecordLayer>?

    /// The empty session.
    init() {
        unsafe ssl = nil
        unsafe records = nil
    }

    /// Takes over the caller's only reference.
    init(owning session: OpaquePointer) {
        unsafe ssl = session
        unsafe records = nil
    }

    deinit {
        // Owned since init; freeing nil does nothing.
        unsafe SSL_free(ssl)
        // Keys without a destructor: overwriting their memory is all there is to do.
        if let records = unsafe records {
            unsafe OPENSSL_cleanse(records, MemoryLayout<RecordLayer>.stride)
        }
    }

    /// Goes on with the handshake on the wire's input.
    func handshake() -> Handshake {
        // `ssl` is alive, and the error queue is empty before each call.
        let result = unsafe SSL_do_handshake(ssl)
        if result == 1 {
            let agreed = unsafe belfry_session_has_protocol(ssl) == 1
            return agreed ? .done : .failed(.applicationProtocol, verification: 0)
        }
        if unsafe SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ { return .wantsInput }
        let reason = belfry_drain_errors()
        let verification = unsafe SSL_get_verify_result(ssl)
        return .failed(HandshakeFailure(reason: reason), verification: verification)
    }

    /// Opens records from the wire's input into `space`.
    func open(
        into space: UnsafeMutableBufferPointer<UInt8>,
        on wire: SharedWire,
        at nanoseconds: UInt64
    ) -> Opened {
        if unsafe records != nil {
            return unsafe openOwn(into: space, on: wire, at: nanoseconds)
        }
        // The call writes at most `space.count` bytes.
        let result = unsafe SSL_read(ssl, space.baseAddress, Int32(space.count))
        if result > 0 { return .bytes(Int(result)) }
        switch unsafe SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: return .wantsInput
        case SSL_ERROR_ZERO_RETURN: return .closedByPeer
        default:
            _ = belfry_drain_errors()
            return .failed
        }
    }

    /// Whether the session itself still holds received bytes.
    var holdsInput: Bool {
        // Our own layer takes whole records off the wire and holds nothing.
        unsafe records == nil && SSL_has_pending(ssl) == 1
    }

    /// Seals plaintext as records of at most 16 KiB; false when the session is unusable.
    func seal(_ bytes: UnsafeBufferPointer<UInt8>, on wire: SharedWire) -> Bool {
        if unsafe records != nil { return unsafe sealOwn(bytes, on: wire) }
        // The bytes are borrowed for the call, which copies them into records.
        let result = unsafe SSL_write(ssl, bytes.baseAddress, Int32(bytes.count))
        if Int(result) == bytes.count { return true }
        _ = belfry_drain_errors()
        return false
    }

    /// Seals the notice that nothing more will come.
    func sealCloseNotify(on wire: SharedWire) {
        if unsafe records != nil { return sealOwn(.closeNotify, on: wire) }
        if unsafe SSL_shutdown(ssl) < 0 { _ = belfry_drain_errors() }
    }

    /// Returns the facts about the peer for the handler; only after the handshake.
    func peer(at address: SocketAddress) -> PeerInfo? {
        var exporter = [UInt8](repeating: 0, count: Int(BELFRY_EXPORTER_BYTES))
        var hash = [UInt8](repeating: 0, count: 32)
        // Both arrays have the sizes the calls fill.
        let exported = unsafe exporter.withUnsafeMutableBufferPointer {
            unsafe belfry_session_exporter(ssl, $0.baseAddress)
        }
        let hashed = unsafe hash.withUnsafeMutableBufferPointer {
            unsafe belfry_session_peer_key_hash(ssl, $0.baseAddress)
        }
        _ = belfry_drain_errors()
        guard exported == 1 else { return nil }
        return PeerInfo(
            address: address,
            exporter: exporter,
            certificate: hashed == 0 ? .none : hashed == 1 ? .trusted(keyHash: hash) : .untrusted,
            applicationProtocol: BELFRY_APPLICATION_PROTOCOL
        )
    }
}

extension HandshakeFailure {
    /// Sorts OpenSSL's reasons.
    ///
    /// Alerts that were received are its reasons from 1,000 on.
    init(reason: Int32) {
        switch reason {
        case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_WRONG_VERSION_NUMBER,
            SSL_R_BAD_PACKET_LENGTH, SSL_R_PACKET_LENGTH_TOO_LONG, SSL_R_UNEXPECTED_MESSAGE,
            SSL_R_UNKNOWN_PROTOCOL, SSL_R_RECORD_LENGTH_MISMATCH, SSL_R_BAD_RECORD_TYPE:
            self = .notTLS
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW, SSL_R_NO_PROTOCOLS_AVAILABLE,
            1_070:
            self = .version
        case SSL_R_NO_APPLICATION_PROTOCOL, SSL_R_CALLBACK_FAILED, 1_120:
            self = .applicationProtocol
        case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_SUITABLE_KEY_SHARE, SSL_R_NO_SHARED_GROUPS,
            SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS, SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM, 1_040:
            self = .parameters
        case SSL_R_CERTIFICATE_VERIFY_FAILED, 1_042...1_046, 1_048, 1_116:
            self = .certificate
        case 1_000..<1_256:
            self = .peerAlert
        default:
            self = .other
        }
    }
}
