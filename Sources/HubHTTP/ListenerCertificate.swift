package import Logging
import NIOCore
package import NIOSSL
import Synchronization

/// The certificate that a listener shows; `reload` takes effect with the next connection.
package final class ListenerCertificate: Sendable {
    /// Why certificate or key cannot be used; names the files.
    package struct Fault: Error, Sendable {
        /// The files and the mistake in them, as a sentence.
        package let reason: String
    }

    private struct Loaded {
        var chain: [NIOSSLCertificate]
        var key: NIOSSLPrivateKey

        /// TLS 1.2 and later.
        var configuration: TLSConfiguration {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(key)
            )
            configuration.minimumTLSVersion = .tlsv12
            return configuration
        }
    }

    private let certificateFile: String
    private let keyFile: String
    private let loaded: Mutex<Loaded>

    /// Reads chain and key, both PEM.
    package init(certificateFile: String, keyFile: String) throws(Fault) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        loaded = Mutex(try Self.load(certificateFile, keyFile))
    }

    /// Reads the files again; on an error the old certificate stays.
    package func reload() throws(Fault) {
        let fresh = try Self.load(certificateFile, keyFile)
        loaded.withLock { $0 = fresh }
    }

    /// Shows what the files hold now, and tells the log so, or why the old one stays.
    package func reload(telling logger: Logger) {
        do throws(Fault) {
            try reload()
            logger.notice("certificate reloaded")
        } catch {
            logger.error(
                "certificate not reloaded, the old one stays",
                metadata: ["reason": "\(error.reason)"]
            )
        }
    }

    /// When the first certificate of the chain ends, in seconds since 1970.
    package var endSeconds: Int { loaded.withLock { Int($0.chain.first?.notValidAfter ?? 0) } }

    private static func load(
        _ certificateFile: String,
        _ keyFile: String
    ) throws(Fault) -> Loaded {
        do {
            let loaded = Loaded(
                chain: try NIOSSLCertificate.fromPEMFile(certificateFile),
                key: try NIOSSLPrivateKey(file: keyFile, format: .pem)
            )
            // A key that does not fit the certificate is noticed here, not in a handshake.
            _ = try NIOSSLContext(configuration: loaded.configuration)
            return loaded
        } catch {
            throw Fault(reason: "\(certificateFile), \(keyFile): \(error)")
        }
    }

    /// TLS 1.2 and later; the certificate is asked for with each connection.
    ///
    /// Clients that ask for the name of `other` are shown that one.
    package func configuration(beside other: NamedCertificate? = nil) -> TLSConfiguration {
        var configuration = loaded.withLock(\.configuration)
        configuration.sslContextCallback = { [self] asked, promise in
            if let other, asked.serverHostname == other.name {
                var override = NIOSSLContextConfigurationOverride()
                override.certificateChain = [.certificate(other.certificate)]
                override.privateKey = .privateKey(other.key)
                return promise.succeed(override)
            }
            let now = loaded.withLock { $0 }
            var override = NIOSSLContextConfigurationOverride()
            override.certificateChain = now.chain.map { .certificate($0) }
            override.privateKey = .privateKey(now.key)
            promise.succeed(override)
        }
        return configuration
    }
}
