package import NIOSSL

/// A certificate for clients that ask for one name.
package struct NamedCertificate: Sendable {
    /// The name, in lower case.
    package let name: String
    let certificate: NIOSSLCertificate
    let key: NIOSSLPrivateKey

    /// Joins a name with what is shown under it.
    package init(name: String, certificate: NIOSSLCertificate, key: NIOSSLPrivateKey) {
        self.name = name
        self.certificate = certificate
        self.key = key
    }
}
