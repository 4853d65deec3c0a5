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

    /// Connects; what `extra` makes leaves in one piece with the client's Finished.
    init(
        _ address: SocketAddress,
        suite: CipherSuite = .aes128GCM,
        behindFinished extra: (RecordPeer) -> [UInt8] = { _ in [] }
    ) throws {
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
        let finished = unsafe try Self.connect(session, socket)
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
        send(finished + extra(peer))
    }

    /// Does the handshake up to the client's last flight, which is returned and not sent.
    private static func connect(
        _ session: OpaquePointer,
        _ socket: borrowing RawPeer
    ) throws -> [UInt8] {
        let incoming = unsafe try #require(BIO_new(BIO_s_mem()))
        let outgoing = unsafe try #require(BIO_new(BIO_s_mem()))
        // The session owns both from here on.
        unsafe SSL_set_bio(session, incoming, outgoing)
        while true {
            let result = unsafe SSL_connect(session)
            var flight = [UInt8](repeating: 0, count: unsafe BIO_ctrl_pending(outgoing))
            let count = unsafe BIO_read(outgoing, &flight, Int32(flight.count))
            flight.removeLast(flight.count - Int(max(0, count)))
            if result == 1 { return flight }
            try #require(unsafe SSL_get_error(session, result) == SSL_ERROR_WANT_READ)
            socket.send(flight)
            let bytes = socket.readSome()
            try #require(!bytes.isEmpty)
            unsafe BIO_write(incoming, bytes, Int32(bytes.count))
        }
    }

    func send(_ bytes: [UInt8]) { socket.send(bytes) }

    /// Ends this side's half of the stream and reads the other's: what it said, record by record.
    func finish() -> Reception {
        endWriting()
        return peer.open(socket.readAll())
    }

    /// Ends this side's half of the stream.
    func endWriting() { socket.endWriting() }
}
