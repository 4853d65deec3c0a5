import NIOSSL

/// TLS to a service: version 1.2 or later, its name checked.
enum ServiceTrust {
    /// The settings of a client.
    static func configuration(_ options: CarrierOptions) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        if case .file(let file) = options.trust { configuration.trustRoots = .file(file) }
        return configuration
    }
}
