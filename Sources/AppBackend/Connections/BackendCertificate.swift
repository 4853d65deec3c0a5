import NIOSSL
import Synchronization

/// The certificate that the backend shows; `reload` takes effect with the next connection.
final class BackendCertificate: Sendable {
    private let certificateFile: String
    private let keyFile: String
    private let loaded: Mutex<NIOSSLContext>

    /// Reads chain and key, both PEM.
    /// - Throws: `.certificate` naming the files.
    init(certificateFile: String, keyFile: String) throws(BackendError) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        loaded = Mutex(try Self.load(certificateFile, keyFile))
    }

    /// What the next connection uses.
    var context: NIOSSLContext { loaded.withLock { $0 } }

    /// Reads the files again; on an error the old certificate stays.
    /// - Throws: `.certificate` naming the files.
    func reload() throws(BackendError) {
        let fresh = try Self.load(certificateFile, keyFile)
        loaded.withLock { $0 = fresh }
    }

    private static func load(
        _ certificateFile: String,
        _ keyFile: String
    ) throws(BackendError) -> NIOSSLContext {
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(certificateFile)
            let key = try NIOSSLPrivateKey(file: keyFile, format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(key)
            )
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw .certificate(reason: "\(certificateFile), \(keyFile): \(error)")
        }
    }
}
