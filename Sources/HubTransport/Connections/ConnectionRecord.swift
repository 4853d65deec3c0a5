/// The cold part, which most connections have only while their handshake runs.
final class ConnectionRecord {
    /// Sealed bytes the socket did not take, from `unsentStart` on.
    var unsent: [UInt8] = []
    var unsentStart = 0
    var context: TLSContext?
    var serverName: String?
    /// The received part of a record that a layer of our own is to open, or of a balancer's header.
    var begunRecord: [UInt8] = []

    /// Whether nothing is lost with it.
    var isEmpty: Bool { unsent.isEmpty && begunRecord.isEmpty && context == nil }
}
