import COpenSSL
import Glibc

/// One end of a TLS connection that says and hears bytes, right or wrong.
///
/// Used by one thread at a time.
@safe final class KitTLS {
    /// The next event of a connection.
    enum Piece: Equatable {
        case bytes([UInt8])
        /// The peer closed; `isOrderly` after close_notify.
        case closed(isOrderly: Bool)
        /// Nothing came in time.
        case silence
    }

    /// A deviation from the settings that the specification asks for.
    enum Oddity: Equatable {
        case none
        /// TLS 1.2 at most.
        case oldVersion
        /// Other protocols than `belfry/1` in ALPN; none without any.
        case protocols([String])
    }

    private let session: OpaquePointer
    private let socket: KitSocket

    private init(_ session: OpaquePointer, on socket: KitSocket) {
        unsafe self.session = session
        self.socket = socket
    }

    deinit { unsafe SSL_free(session) }

    /// Does a client's handshake; nil when the other side, or the check of its certificate, ends it.
    static func connect(
        over socket: KitSocket,
        trusting authorities: [UInt8]?,
        name: String,
        showing identity: (chain: [UInt8], key: [UInt8])? = nil,
        _ oddity: Oddity = .none
    ) throws(KitFault) -> KitTLS? {
        guard let context = unsafe belfry_context_new(0) else { throw .setup("no TLS context") }
        // The session keeps its own reference.
        defer { unsafe SSL_CTX_free(context) }
        unsafe belfry_context_require_trusted_peer(context)
        if let authorities {
            // The text is borrowed for the call.
            guard unsafe belfry_context_trust(context, authorities, authorities.count) > 0 else {
                throw .setup("the file of --ca holds no certificate")
            }
        } else {
            unsafe SSL_CTX_set_default_verify_paths(context)
        }
        if let identity {
            try unsafe show(identity.chain, identity.key, in: context)
        }
        unsafe adopt(oddity, in: context)
        guard let session = unsafe SSL_new(context) else { throw .setup("no TLS session") }
        let isAddress = name.contains(":") || name.allSatisfy { $0.isNumber || $0 == "." }
        _ = unsafe belfry_session_expect_name(session, name, isAddress ? 1 : 0)
        let link = unsafe KitTLS(session, on: socket)
        return link.handshake { unsafe SSL_connect(session) } ? link : nil
    }

    /// Does a server's handshake; nil when it fails.
    static func accept(
        over socket: KitSocket,
        showing identity: (chain: [UInt8], key: [UInt8])
    ) throws(KitFault) -> KitTLS? {
        guard let context = unsafe belfry_context_new(1) else { throw .setup("no TLS context") }
        // The session keeps its own reference.
        defer { unsafe SSL_CTX_free(context) }
        try unsafe show(identity.chain, identity.key, in: context)
        guard let session = unsafe SSL_new(context) else { throw .setup("no TLS session") }
        let link = unsafe KitTLS(session, on: socket)
        guard link.handshake({ unsafe SSL_accept(session) }) else { return nil }
        return unsafe belfry_session_has_protocol(session) == 1 ? link : nil
    }

    private static func show(
        _ chain: [UInt8],
        _ key: [UInt8],
        in context: OpaquePointer
    ) throws(KitFault) {
        // Both texts are borrowed for the call.
        let result = unsafe belfry_context_use_identity(context, chain, chain.count, key, key.count)
        guard result == belfry_identity_accepted else {
            throw .setup("certificate and key cannot be used")
        }
    }

    private static func adopt(_ oddity: Oddity, in context: OpaquePointer) {
        switch oddity {
        case .none: break
        case .oldVersion:
            unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
            unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        case .protocols(let names):
            let list = names.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
            // The list is copied; an empty one takes the extension away.
            _ = unsafe SSL_CTX_set_alpn_protos(context, list, UInt32(list.count))
        }
    }

    private func handshake(_ call: () -> Int32) -> Bool {
        unsafe SSL_set_fd(session, socket.descriptor)
        let deadline = KitClock.milliseconds + 10_000
        while true {
            _ = belfry_drain_errors()
            let result = call()
            if result == 1 { return true }
            guard isWaited(result, until: deadline) else { return false }
        }
    }

    /// Whether a call may be repeated now, since what it waited for has come.
    private func isWaited(_ result: Int32, until deadline: Int) -> Bool {
        switch unsafe SSL_get_error(session, result) {
        case SSL_ERROR_WANT_READ: socket.wait(for: POLLIN, until: deadline) == .ready
        case SSL_ERROR_WANT_WRITE: socket.wait(for: POLLOUT, until: deadline) == .ready
        default: false
        }
    }

    /// The exporter value of `[A-3]`.
    var exporter: [UInt8] {
        var value = [UInt8](repeating: 0, count: Int(BELFRY_EXPORTER_BYTES))
        // The array has the size that the call fills.
        _ = unsafe belfry_session_exporter(session, &value)
        return value
    }

    /// Whether the peer has given something with which a later connection could resume this one.
    var canResume: Bool {
        guard let kept = unsafe SSL_get_session(session) else { return false }
        return unsafe SSL_SESSION_is_resumable(kept) == 1
    }

    /// The version that both agreed on.
    var version: String { unsafe String(cString: SSL_get_version(session)) }

    /// Whether both agreed on `belfry/1`.
    var hasProtocol: Bool { unsafe belfry_session_has_protocol(session) == 1 }

    /// Writes bytes, in records of at most 16 KiB; false when the connection takes nothing more.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return true }
        let deadline = KitClock.milliseconds + 10_000
        while true {
            _ = belfry_drain_errors()
            // The bytes are borrowed for the call; a repeated call has the same ones.
            let result = unsafe SSL_write(session, bytes, Int32(bytes.count))
            if result == Int32(bytes.count) { return true }
            guard isWaited(result, until: deadline) else { return false }
        }
    }

    /// The next bytes, or the end.
    func read(within milliseconds: Int) -> Piece {
        let deadline = KitClock.milliseconds + milliseconds
        var part = [UInt8](repeating: 0, count: 16_384)
        while true {
            _ = belfry_drain_errors()
            // The call writes at most what `part` has.
            let result = unsafe SSL_read(session, &part, Int32(part.count))
            if result > 0 { return .bytes(Array(part.prefix(Int(result)))) }
            switch unsafe SSL_get_error(session, result) {
            case SSL_ERROR_ZERO_RETURN: return .closed(isOrderly: true)
            case SSL_ERROR_WANT_READ:
                if socket.wait(for: POLLIN, until: deadline) == .late { return .silence }
            case SSL_ERROR_WANT_WRITE:
                if socket.wait(for: POLLOUT, until: deadline) == .late { return .silence }
            default: return .closed(isOrderly: false)
            }
        }
    }

    /// Says that nothing more will come.
    func sayGoodbye() {
        _ = belfry_drain_errors()
        _ = unsafe SSL_shutdown(session)
    }
}
