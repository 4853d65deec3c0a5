/// A session behind the head of the log: it reads pages and holds at most a window of entries.
///
/// A class, so that its entries are in one place while they are worked on: the session stays one that
/// catches up, whatever returns early.
final class CatchUp {
    /// Every record at or below was evaluated; matches are written or in `held`.
    var scanned: UInt64
    /// The check value at `scanned`; a wrong one costs the device a RESET, never a notification.
    var scannedCheck: UInt32
    /// Where its session stands among those that read the log; nil when it is not among them yet.
    var readerIndex: Int?
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

    /// A session that has evaluated everything through `scanned`.
    init(scanned: UInt64, scannedCheck: UInt32) {
        self.scanned = scanned
        self.scannedCheck = scannedCheck
    }
}

extension CatchUp {
    /// Takes out the entries that were replaced, and brings slots that changed into their order.
    func sortHeld() {
        held.removeAll(where: \.isReplaced)
        held.sort { ($0.sequence, $0.slot) < ($1.sequence, $1.slot) }
    }
}
