/// Numbers of handshake messages.
enum HandshakeMessage {
    static let keyUpdate: UInt8 = 24
}
