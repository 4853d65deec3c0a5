import COpenSSL

/// Who seals and opens records after OpenSSL's handshake; the raw value names it in settings.
package enum RecordSealing: String, CaseIterable, Sendable {
    /// The `SSL` object of the handshake.
    case openSSL = "openssl"
    /// Our record layer with OpenSSL's ciphers; the `SSL` object is freed. A connection that
    /// cannot be handed over stays with OpenSSL.
    case own

    /// What is used here when this is asked for: with a version of OpenSSL other than 3.0, whose
    /// sessions may agree on what our layer does not know, nothing is handed over.
    package var effective: RecordSealing {
        belfry_secrets_may_be_taken() == 1 ? self : .openSSL
    }
}
