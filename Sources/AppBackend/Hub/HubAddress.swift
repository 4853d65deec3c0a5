import HubSender
import HubVocabulary

/// Where the hub's devices connect, and the key for their first connection.
struct HubAddress: Sendable {
    let hub: String
    let deviceHost: String
    let devicePort: UInt16
    private let signer: SharedAccessSigner
    private let host: String

    /// Reads it from the hub's description.
    init(_ file: ConnectionFile) throws(ConnectionStringError) {
        let listen = try ConnectionString(parsing: file.connectionStrings.listen)
        signer = SharedAccessSigner(listen)
        host = listen.host
        hub = file.hub
        deviceHost = file.devices.host
        devicePort = file.devices.port
    }

    func listenToken(expiry: Int64) -> String {
        signer.token(host: host, path: hub, expiry: UInt64(max(0, expiry)))
    }
}
