/// The rules that tie the entries of a frame together.
///
/// Source: Protocol [D-2] to [D-5].
struct EntryChain {
    private var seq: UInt64
    private var lastSlot: UInt16 = 0
    /// Highest sequence number whose last entry has come.
    private(set) var complete: UInt64
    /// Whether an entry with CONTINUES came last.
    private(set) var isOpen = false

    init(after prevSeq: UInt64) {
        seq = prevSeq
        complete = prevSeq
    }

    /// Takes the next entry, or says that it breaks a rule.
    mutating func accept(delta: UInt32, slot: UInt16, eflags: UInt8) -> Bool {
        let continues = eflags & DeliverFlag.continues != 0
        if eflags & DeliverFlag.transient != 0 { return delta == 0 && !continues }
        if isOpen {
            guard delta == 0, slot > lastSlot else { return false }
        } else {
            let (next, overflow) = seq.addingReportingOverflow(UInt64(delta))
            guard delta > 0, !overflow else { return false }
            seq = next
        }
        lastSlot = slot
        isOpen = continues
        if !continues { complete = seq }
        return true
    }
}
