import Glibc

/// PEM text that was read from a file, with the file's name for messages.
package struct PEMFile: Sendable, Equatable {
    /// Where it was read.
    package let path: String
    /// What it held.
    package let bytes: [UInt8]

    /// PEM text that is in memory already; `path` only names it in errors.
    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// Reads a file of at most 1 MiB.
    /// - Throws: `.fileMissing`, `.fileUnreadable`, `.fileTooLarge`.
    package init(reading path: String) throws(TransportError) {
        // The path is borrowed for the call.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            throw code == ENOENT ? .fileMissing(path) : .fileUnreadable(path, code: code)
        }
        defer { close(descriptor) }
        let limit = 1_048_576
        var text = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count < text.count {
            // The call writes at most what is left behind `count`.
            let more = unsafe text.withUnsafeMutableBytes {
                unsafe read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if more < 0, errno == EINTR { continue }
            if more < 0 { throw .fileUnreadable(path, code: errno) }
            if more == 0 { break }
            count += more
        }
        guard count <= limit else { throw .fileTooLarge(path) }
        self.init(path: path, bytes: Array(text.prefix(count)))
    }
}

/// What a hub shows to its devices: certificate chain and key, checked when made.
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

/// What a client trusts, and the certificate it shows when asked.
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
