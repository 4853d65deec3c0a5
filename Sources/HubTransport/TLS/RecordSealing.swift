import COpenSSL

/// Who seals and opens records after OpenSSL's handshake; the raw value names it in settings.
package enum RecordSealing: String, CaseIterable, Sendable {
    /// The `SSL` object of the handshake.
    case openSSL = "openssl"
    /// Our record layer with OpenSSL's ciphers; the `SSL` object is freed. A connection that
    /// cannot be handed over stays with OpenSSL.
    case own

    /// The sealing that is used when this one is asked for.
    ///
    /// OpenSSL seals in versions other than 3.0: their sessions may agree on features that our
    /// layer does not know, so they are not handed over.
    package var effective: RecordSealing {
        belfry_secrets_may_be_taken() == 1 ? self : .openSSL
    }
}
