import COpenSSL

/// An OpenSSL context with the project's settings, shared by the sessions of one reactor.
///
/// Make one for each reactor: sharing one between threads would make them meet in its counters.
/// Sessions keep what they need of it, so it may go before them.
@safe package final class TLSContext {
    private let context: OpaquePointer
    private let isServer: Bool

    /// A context for accepting; with `.own` its sessions remember the secrets for handing over.
    /// - Throws: the certificate, key and authority cases of `TransportError`.
    init(server: ServerTLS, sealing: RecordSealing = .openSSL) throws(TransportError) {
        unsafe context = try Self.make(server: true)
        isServer = true
        // Alive since the line above.
        if sealing == .own, unsafe belfry_context_keep_secrets(context) != 1 {
            throw .tlsUnavailable(reason: belfry_drain_errors())
        }
        try use(certificate: server.certificate, key: server.key)
        guard let authorities = server.clientAuthorities else { return }
        // The text is borrowed for the call.
        let added = unsafe authorities.bytes.withUnsafeBufferPointer {
            unsafe belfry_context_request_client_certificate(context, $0.baseAddress, $0.count)
        }
        if added != 1 { throw .authorityMissing(authorities.path) }
    }

    /// A context for connecting; servers must show a certificate that it trusts.
    /// - Throws: the certificate, key and authority cases of `TransportError`.
    package init(client: ClientTLS) throws(TransportError) {
        unsafe context = try Self.make(server: false)
        isServer = false
        unsafe belfry_context_require_trusted_peer(context)
        if let authorities = client.authorities {
            // The text is borrowed for the call.
            let added = unsafe authorities.bytes.withUnsafeBufferPointer {
                unsafe belfry_context_trust(context, $0.baseAddress, $0.count)
            }
            if added <= 0 { throw .authorityMissing(authorities.path) }
        } else {
            unsafe SSL_CTX_set_default_verify_paths(context)
        }
        if let identity = client.identity {
            try use(certificate: identity.certificate, key: identity.key)
        }
    }

    deinit {
        // The one reference made in `make`.
        unsafe SSL_CTX_free(context)
    }

    /// A session on the reactor's wire; nil when memory is short.
    func makeSession(on wire: SharedWire, expecting name: String? = nil) -> TLSSession? {
        // Context and wire are alive; OpenSSL takes its own references.
        guard
            let session = unsafe belfry_session_new(context, wire.pointer, isServer ? 1 : 0)
        else { return nil }
        if let name {
            // The failure is the answer: a name that is no address is matched as a host name.
            let isAddress = (try? SocketAddress(numeric: name, port: 0)) != nil
            guard unsafe belfry_session_expect_name(session, name, isAddress ? 1 : 0) == 1 else {
                unsafe SSL_free(session)
                _ = belfry_drain_errors()
                return nil
            }
        }
        return unsafe TLSSession(owning: session)
    }

    private static func make(server: Bool) throws(TransportError) -> OpaquePointer {
        guard let context = unsafe belfry_context_new(server ? 1 : 0) else {
            throw .tlsUnavailable(reason: belfry_drain_errors())
        }
        return unsafe context
    }

    private func use(certificate: PEMFile, key: PEMFile) throws(TransportError) {
        // Both texts are borrowed for the call.
        let result = unsafe certificate.bytes.withUnsafeBufferPointer { chain in
            unsafe key.bytes.withUnsafeBufferPointer { secret in
                unsafe belfry_context_use_identity(
                    context,
                    chain.baseAddress,
                    chain.count,
                    secret.baseAddress,
                    secret.count
                )
            }
        }
        switch result {
        case belfry_identity_accepted: return
        case belfry_identity_no_certificate: throw .certificateMissing(certificate.path)
        case belfry_identity_no_key: throw .keyMissing(key.path)
        case belfry_identity_encrypted_key: throw .keyEncrypted(key.path)
        case belfry_identity_mismatch:
            throw .keyMismatch(certificate: certificate.path, key: key.path)
        case belfry_identity_not_yet_valid: throw .certificateNotYetValid(certificate.path)
        case belfry_identity_expired: throw .certificateExpired(certificate.path)
        default: throw .certificateRefused(certificate.path)
        }
    }
}
