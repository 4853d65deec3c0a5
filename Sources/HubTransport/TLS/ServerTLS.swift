/// A hub's certificate chain and key for its devices, checked when made.
///
/// Reading the files again and handing the new value to every reactor
/// (`Connections.use(_:)`) replaces the certificate; connections that stand are not touched.
package struct ServerTLS: Sendable {
    /// The certificate, leaf first, then intermediates.
    package let certificate: PEMFile
    /// Its private key, without a pass phrase.
    package let key: PEMFile
    /// Authorities whose client certificates are asked for and verified; nil asks for none.
    package let clientAuthorities: PEMFile?

    /// Checks that the parts belong together and are valid now.
    /// - Throws: the certificate, key and authority cases of `TransportError`.
    package init(
        certificate: PEMFile,
        key: PEMFile,
        clientAuthorities: PEMFile? = nil
    ) throws(TransportError) {
        self.certificate = certificate
        self.key = key
        self.clientAuthorities = clientAuthorities
        _ = try TLSContext(server: self)
    }

    /// Reads and checks the files.
    /// - Throws: also the file cases of `TransportError`.
    package init(
        certificateFile: String,
        keyFile: String,
        clientAuthoritiesFile: String? = nil
    ) throws(TransportError) {
        var authorities: PEMFile?
        if let clientAuthoritiesFile { authorities = try PEMFile(reading: clientAuthoritiesFile) }
        try self.init(
            certificate: PEMFile(reading: certificateFile),
            key: PEMFile(reading: keyFile),
            clientAuthorities: authorities
        )
    }
}
