import COpenSSL
import HubTestSupport
import HubTransport
import TLSRecords
import Testing

/// A TLS client that, after OpenSSL's handshake, seals with the connection's keys what it likes.
final class KeyedClient {
    /// What seals and opens with the keys of this connection.
    let peer: RecordPeer
    private let socket: RawPeer

    init(_ address: SocketAddress, suite: CipherSuite = .aes128GCM) throws {
        let context = unsafe try #require(SSL_CTX_new(TLS_client_method()))
        defer { unsafe SSL_CTX_free(context) }
        let names: [CipherSuite: String] = [
            .aes128GCM: "TLS_AES_128_GCM_SHA256", .aes256GCM: "TLS_AES_256_GCM_SHA384",
            .chaCha20Poly1305: "TLS_CHACHA20_POLY1305_SHA256",
        ]
        unsafe SSL_CTX_set_ciphersuites(context, names[suite])
        unsafe SSL_CTX_set_num_tickets(context, 0)
        try #require(unsafe belfry_context_keep_secrets(context) == 1)
        let session = unsafe try #require(SSL_new(context))
        // The socket is the client's own from here on.
        defer { unsafe SSL_free(session) }
        let offer: [UInt8] = [8] + Array("belfry/1".utf8)
        unsafe SSL_set_alpn_protos(session, offer, UInt32(offer.count))
        let socket = try RawPeer(address)
        unsafe SSL_set_fd(session, socket.descriptor)
        try #require(unsafe SSL_connect(session) == 1)
        var secrets = belfry_secrets()
        try #require(unsafe belfry_session_take_secrets(session, &secrets) == 1)
        try #require(secrets.suite == suite.rawValue)
        let client = unsafe withUnsafeBytes(of: &secrets.client) { unsafe Array($0) }
        let server = unsafe withUnsafeBytes(of: &secrets.server) { unsafe Array($0) }
        peer = RecordPeer(
            suite,
            receiving: Array(client.prefix(suite.hash.bytes)),
            sending: Array(server.prefix(suite.hash.bytes)),
            cipher: try OpenSSLCipher()
        )
        self.socket = socket
    }

    func send(_ bytes: [UInt8]) { socket.send(bytes) }

    /// Ends this side's half of the stream and reads the other's: what it said, record by record.
    func finish() -> Reception {
        socket.endWriting()
        return peer.open(socket.readToEnd())
    }
}
