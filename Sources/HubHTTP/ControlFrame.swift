import NIOCore

/// A frame of HTTP/2 that the server writes without a request.
///
/// Source: RFC 9113 §4.1, §6.
enum ControlFrame {
    private static let headerBytes = 9
    /// RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE.
    private static let types: Set<UInt8> = [3, 4, 6, 7, 8]

    /// Whether bytes are one such frame and nothing else; each frame is written alone.
    ///
    /// Answers of HTTP/1.1 begin with their version, whose fourth letter is no such type.
    static func isAlone(in bytes: ByteBuffer) -> Bool {
        let start = bytes.readerIndex
        guard bytes.readableBytes >= headerBytes,
            let length: UInt32 = bytes.getInteger(at: start),
            let type: UInt8 = bytes.getInteger(at: start + 3)
        else { return false }
        return types.contains(type) && Int(length >> 8) + headerBytes == bytes.readableBytes
    }
}
