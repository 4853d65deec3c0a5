/// The authorities that a client trusts, and the certificate that it shows when asked.
package struct ClientTLS: Sendable {
    /// Authorities the server's certificate must come from; nil means the system's.
    package let authorities: PEMFile?
    /// The client's own certificate and key.
    package let identity: (certificate: PEMFile, key: PEMFile)?

    /// Trust in the given authorities.
    package init(
        authorities: PEMFile?,
        identity: (certificate: PEMFile, key: PEMFile)? = nil
    ) {
        self.authorities = authorities
        self.identity = identity
    }
}
