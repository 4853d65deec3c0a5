// From a tag to those who have it, a piece at a time.

extension TagIndex {
    /// Calls `body` with the slots of the registrations that have a tag, those above `slot` alone,
    /// ascending, until it says no.
    ///
    /// Finding the first costs a search; nothing is gathered, so a caller that stops early pays for
    /// what it has seen.
    package func forEachSlot(
        of tag: TagID,
        above slot: SlotIndex,
        _ body: (SlotIndex) -> Bool
    ) {
        switch leaf(of: tag) {
        case .none: break
        case .single(let only): if only > slot { _ = body(only) }
        case .list(let index): lists[index].forEach(above: slot, body)
        }
    }
}

extension PostingList {
    /// Calls `body` with the slots above another, ascending, until it says no.
    fileprivate func forEach(above slot: SlotIndex, _ body: (SlotIndex) -> Bool) {
        guard !isDense else { return words.forEachSlot(above: slot, body) }
        var position = sparse.lowerBound(of: slot)
        if position < sparse.count, sparse[position] == slot { position += 1 }
        while position < sparse.count, body(sparse[position]) { position += 1 }
    }
}

extension [UInt64] {
    /// Calls `body` with the slots of the set bits above a slot, ascending, until it says no.
    fileprivate func forEachSlot(above slot: SlotIndex, _ body: (SlotIndex) -> Bool) {
        var index = Int(slot.raw &>> 6)
        guard index < count else { return }
        // Neither the slot's own bit nor those below it.
        var word = self[index] & ~(UInt64.max &>> UInt64(63 - (slot.raw & 63)))
        while true {
            let base = UInt32(truncatingIfNeeded: index &<< 6)
            while word != 0 {
                let bit = UInt32(truncatingIfNeeded: word.trailingZeroBitCount)
                guard body(SlotIndex(raw: base | bit)) else { return }
                word &= word &- 1
            }
            index += 1
            guard index < count else { return }
            word = self[index]
        }
    }
}
