import NIOCore
import NIOSSL
import Synchronization

/// The certificate that REST shows; `replace` takes effect with the next connection.
final class RESTCertificate: Sendable {
    private struct Loaded {
        var chain: [NIOSSLCertificate]
        var key: NIOSSLPrivateKey
    }

    private let loaded: Mutex<Loaded>

    /// Reads chain and key, both PEM.
    /// - Throws: `.certificate` naming the files.
    init(certificateFile: String, keyFile: String) throws(ServerError) {
        loaded = Mutex(try Self.load(certificateFile, keyFile))
    }

    /// Reads the files again; on an error the old certificate stays.
    func replace(certificateFile: String, keyFile: String) throws(ServerError) {
        let fresh = try Self.load(certificateFile, keyFile)
        loaded.withLock { $0 = fresh }
    }

    private static func load(
        _ certificateFile: String,
        _ keyFile: String
    ) throws(ServerError) -> Loaded {
        do {
            return Loaded(
                chain: try NIOSSLCertificate.fromPEMFile(certificateFile),
                key: try NIOSSLPrivateKey(file: keyFile, format: .pem)
            )
        } catch {
            throw .certificate(reason: "\(certificateFile), \(keyFile): \(error)")
        }
    }

    /// TLS 1.2 and later; the certificate is asked for with each connection.
    func configuration() -> TLSConfiguration {
        let first = loaded.withLock { $0 }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: first.chain.map { .certificate($0) },
            privateKey: .privateKey(first.key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.sslContextCallback = { [self] _, promise in
            let now = loaded.withLock { $0 }
            var override = NIOSSLContextConfigurationOverride()
            override.certificateChain = now.chain.map { .certificate($0) }
            override.privateKey = .privateKey(now.key)
            promise.succeed(override)
        }
        return configuration
    }
}
