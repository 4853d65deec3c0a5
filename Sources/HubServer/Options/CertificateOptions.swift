/// The certificate of both listeners; without one the development authority makes it.
package struct CertificateOptions: Sendable {
    /// The certificate chain.
    package var chainFile: String?
    /// The private key of `chainFile`; both or none.
    package var keyFile: String?
    /// Authorities whose client certificates prove devices; nil asks for none.
    package var clientAuthoritiesFile: String?
}
