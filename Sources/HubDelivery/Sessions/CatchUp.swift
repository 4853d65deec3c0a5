/// A session behind the head of the log: it reads pages and holds at most a window of entries.
struct CatchUp {
    /// Every record at or below was evaluated; matches are written or in `held`.
    var scanned: UInt64
    /// The check value at `scanned`; a wrong one costs the device a RESET, never a notification.
    var scannedCheck: UInt32
    /// Matches that wait for the window, the socket or the next page; ascending.
    var held: [HeldEntry] = []
    /// Distinguishes answers of reads; a stale page is dropped.
    var ticket: UInt32 = 0
    /// A read is under way.
    var isReading = false
    /// The place whose check value that read asks for; 0 for none.
    var checkAt: UInt64 = 0
    /// Announced as cut: nothing at or below is sent, whatever later pages say.
    var cutThrough: UInt64 = 0
}

extension CatchUp {
    /// Takes out the entries that were replaced, and brings slots that changed into their order.
    mutating func settle() {
        held.removeAll(where: \.isReplaced)
        held.sort { ($0.sequence, $0.slot) < ($1.sequence, $1.slot) }
    }
}
