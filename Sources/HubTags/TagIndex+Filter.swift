// The way of few candidates: each operand of the outermost `&&` takes out those it excludes.

extension TagIndex {
    /// Keeps of `audience[start...]` the slots that satisfy `expression`.
    ///
    /// The operand that is exactly the alternatives `gathered` holds for all candidates and is left
    /// out.
    func filter(
        _ audience: inout [SlotIndex],
        from start: Int,
        by expression: TagExpression,
        _ leaves: [Leaf],
        except gathered: UInt64?
    ) {
        var compounds: [Range<Int>] = []
        for range in expression.conjuncts() {
            if let gathered, expression.alternatives(in: range) == gathered { continue }
            guard let (tag, isNegated) = expression.literal(in: range) else {
                compounds.append(range)
                continue
            }
            filter(&audience, from: start, by: leaves[tag], isNegated: isNegated)
        }
        for range in compounds {
            audience.keep(from: start) { slot in
                expression.evaluate(range) { has(leaves[$0], slot) }
            }
        }
    }

    /// Keeps of `audience[start...]` the slots that have the tag, or those that don't.
    func filter(
        _ audience: inout [SlotIndex],
        from start: Int,
        by leaf: Leaf,
        isNegated: Bool
    ) {
        switch leaf {
        case .none:
            if !isNegated { audience.removeLast(audience.count - start) }
        case .single(let only):
            audience.keep(from: start) { ($0 == only) != isNegated }
        case .list(let index) where lists[index].isDense:
            let words = lists[index].words
            audience.keep(from: start) { words.hasBit($0) != isNegated }
        case .list(let index):
            let slots = lists[index].sparse
            var position = 0
            audience.keep(from: start) { slot in
                position = slots.lowerBound(of: slot, from: position)
                return (position < slots.count && slots[position] == slot) != isNegated
            }
        }
    }

    private func has(_ leaf: Leaf, _ slot: SlotIndex) -> Bool {
        switch leaf {
        case .none: false
        case .single(let only): only == slot
        case .list(let index): lists[index].contains(slot)
        }
    }
}

extension TagExpression {
    /// The tag of an operand that is one tag or one tag negated.
    fileprivate func literal(in range: Range<Int>) -> (tag: Int, isNegated: Bool)? {
        guard case .tag(let index) = steps[range.lowerBound] else { return nil }
        switch range.count {
        case 1: return (Int(index), false)
        case 2: return (Int(index), true)
        default: return nil
        }
    }
}

extension [SlotIndex] {
    /// Keeps of the elements from `start` on those that `holds` accepts, in order.
    @inline(__always)
    fileprivate mutating func keep(from start: Int, _ holds: (SlotIndex) -> Bool) {
        var kept = start
        for index in start..<count {
            let slot = self[index]
            self[kept] = slot
            kept &+= holds(slot) ? 1 : 0
        }
        removeLast(count - kept)
    }
}
