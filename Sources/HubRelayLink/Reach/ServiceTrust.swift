import NIOSSL

/// TLS to a service: version 1.2 or later, its name checked.
package enum ServiceTrust {
    /// Reads the authorities once, so that a file that is missing shows before any request.
    ///
    /// - Throws: `.unreachable` naming the file.
    package static func check(_ options: CarrierOptions) throws(CarrierFailure) {
        do { _ = try NIOSSLContext(configuration: configuration(options)) } catch {
            guard case .file(let file) = options.trust else {
                throw .unreachable("the system's authorities cannot be read")
            }
            throw .unreachable("no authority can be read from \(file)")
        }
    }

    /// The settings of a client.
    static func configuration(_ options: CarrierOptions) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        if case .file(let file) = options.trust { configuration.trustRoots = .file(file) }
        return configuration
    }
}
