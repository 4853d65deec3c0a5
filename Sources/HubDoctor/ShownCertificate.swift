package import HubVocabulary

/// The certificate that clients are shown.
package struct ShownCertificate: Sendable {
    /// When it ends; nil when the file cannot be read.
    package var end: Timestamp?
    /// Names that it is for; nil where they are not known.
    package var names: [String]?
    /// Whether the development authority has made it.
    package var isDevelopment = false
    /// The intermediate authority that its file lacks.
    package var missingIssuer: String?
    /// Certificate and key that do not belong together, as paths.
    package var unequalPair: (certificate: String, key: String)?

    /// Knows nothing.
    package init() {}
}
