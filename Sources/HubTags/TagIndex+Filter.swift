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
        // A dense tag that waits for another: both are looked up in one pass.
        var waiting: (list: Int, isNegated: Bool)?
        let conjuncts = expression.conjuncts()
        for range in conjuncts {
            if let gathered, expression.alternatives(in: range) == gathered { continue }
            guard let (tag, isNegated) = expression.literal(in: range) else {
                compounds.append(range)
                continue
            }
            guard case .list(let list) = leaves[tag], lists[list].isDense else {
                filter(&audience, from: start, by: leaves[tag], isNegated: isNegated)
                continue
            }
            guard let one = waiting else {
                waiting = (list, isNegated)
                continue
            }
            waiting = nil
            let (first, second) = (lists[one.list].words, lists[list].words)
            let (turned, alsoTurned) = (
                one.isNegated ? 1 : 0 as UInt64, isNegated ? 1 : 0 as UInt64
            )
            audience.keep(from: start) {
                (first.bit(of: $0) ^ turned) & (second.bit(of: $0) ^ alsoTurned) != 0
            }
        }
        if let one = waiting {
            filter(&audience, from: start, by: .list(one.list), isNegated: one.isNegated)
        }
        for range in compounds {
            if let (first, second) = denseAlternatives(expression, range, leaves) {
                let (one, other) = (lists[first].words, lists[second].words)
                audience.keep(from: start) { one.hasBit($0) || other.hasBit($0) }
                continue
            }
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
            if isNegated {
                audience.keep(from: start) { !words.hasBit($0) }
            } else {
                audience.keep(from: start) { words.hasBit($0) }
            }
        case .list(let index):
            let slots = lists[index].sparse
            var position = 0
            audience.keep(from: start) { slot in
                position = slots.lowerBound(of: slot, from: position)
                return (position < slots.count && slots[position] == slot) != isNegated
            }
        }
    }

    /// The lists of an operand that is `a || b` with two dense ones.
    private func denseAlternatives(
        _ expression: TagExpression,
        _ range: Range<Int>,
        _ leaves: [Leaf]
    ) -> (Int, Int)? {
        guard let tags = expression.alternatives(in: range), tags.nonzeroBitCount == 2,
            case .list(let first) = leaves[tags.trailingZeroBitCount], lists[first].isDense,
            case .list(let second) = leaves[63 &- tags.leadingZeroBitCount], lists[second].isDense
        else { return nil }
        return (first, second)
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
        let end = count
        // As a span the array is asked once, and not for each element, whether it is shared.
        var slots = mutableSpan
        for index in start..<end {
            let slot = slots[index]
            slots[kept] = slot
            kept &+= holds(slot) ? 1 : 0
        }
        removeLast(end - kept)
    }
}
