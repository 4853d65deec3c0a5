// The way of many registrations: the expression is evaluated for 64 slots at a time over bitmaps.

extension TagIndex {
    /// A set of slots on the stack of the evaluation: the bits of `content`, or all others.
    struct Operand: Sendable {
        enum Content: Sendable {
            case leaf(Leaf)
            /// Index in `Workspace.bitmaps`; those on the stack ascend.
            case scratch(Int)
        }

        var content: Content
        var isNegated = false
    }

    /// Appends the slots that satisfy the expression and have the tag of `base`.
    func combine(
        _ expression: TagExpression,
        within base: Leaf?,
        into audience: inout [SlotIndex],
        using work: inout Workspace
    ) {
        work.stack.removeAll(keepingCapacity: true)
        for step in expression.steps {
            switch step {
            case .tag(let index):
                work.stack.append(Operand(content: .leaf(work.leaves[Int(index)])))
            case .not: work.stack[work.stack.count - 1].isNegated.toggle()
            case .skipIfFalse, .skipIfTrue: break
            case .and: joinTop(isUnion: false, using: &work)
            case .or: joinTop(isUnion: true, using: &work)
            }
        }
        if let base {
            work.stack.append(Operand(content: .leaf(base)))
            joinTop(isUnion: false, using: &work)
        }
        let result = work.stack.removeLast()
        if case .leaf(let leaf) = result.content, !result.isNegated {
            return appendAll(leaf, to: &audience)
        }
        let scratch = load(result.content, using: &work)
        if result.isNegated { work.bitmaps[scratch].formRest(of: live) }
        let count = work.bitmaps[scratch].bitCount
        work.bitmaps[scratch].appendSlots(count: count, to: &audience)
    }

    /// Replaces the two operands on top by their union or intersection.
    ///
    /// Complements are never made: with `~` in front of an operand one of four word operations gives
    /// the result or its complement, which is then remembered.
    private func joinTop(isUnion: Bool, using work: inout Workspace) {
        var other = work.stack.removeLast()
        var target = work.stack.removeLast()
        // The bits of a leaf must not change: work on the scratch bitmap when there is one.
        if case .leaf = target.content, case .scratch = other.content { swap(&target, &other) }
        let scratch = load(target.content, using: &work)
        // a | b = ~(~a & ~b): a union is an intersection with everything turned over.
        let targetIsNegated = target.isNegated != isUnion
        let otherIsNegated = other.isNegated != isUnion
        var resultIsNegated = isUnion
        switch (targetIsNegated, otherIsNegated) {
        case (false, false):
            change(scratch, by: .formIntersection, other.content, using: &work)
        case (false, true):
            change(scratch, by: .subtract, other.content, using: &work)
        case (true, false):
            change(scratch, by: .formRest, other.content, using: &work)
        case (true, true):
            change(scratch, by: .formUnion, other.content, using: &work)
            resultIsNegated.toggle()
        }
        work.stack.append(Operand(content: .scratch(scratch), isNegated: resultIsNegated))
    }

    private enum Change {
        case formIntersection, formUnion, subtract, formRest
    }

    /// Changes a scratch bitmap by the bits of another operand.
    private func change(
        _ scratch: Int,
        by change: Change,
        _ other: Operand.Content,
        using work: inout Workspace
    ) {
        switch other {
        case .leaf(.list(let index)) where lists[index].isDense:
            apply(change, to: &work.bitmaps[scratch], lists[index].words)
        case .scratch(let index):
            // Taken out for the moment: two elements of one array can't be borrowed at once.
            var bitmap: [UInt64] = []
            swap(&bitmap, &work.bitmaps[index])
            apply(change, to: &work.bitmaps[scratch], bitmap)
            swap(&bitmap, &work.bitmaps[index])
        case .leaf(let leaf):
            switch change {
            case .formUnion: work.bitmaps[scratch].setBits(of: slots(of: leaf))
            case .subtract: work.bitmaps[scratch].clearBits(of: slots(of: leaf))
            case .formIntersection, .formRest:
                let loaded = load(.leaf(leaf), above: scratch, using: &work)
                self.change(scratch, by: change, .scratch(loaded), using: &work)
            }
        }
    }

    private func apply(_ change: Change, to bitmap: inout [UInt64], _ words: [UInt64]) {
        switch change {
        case .formIntersection: bitmap.formIntersection(words)
        case .formUnion: bitmap.formUnion(words)
        case .subtract: bitmap.subtract(words)
        case .formRest: bitmap.formRest(of: words)
        }
    }

    /// The scratch bitmap with the bits of an operand, a new one for a leaf.
    private func load(_ content: Operand.Content, using work: inout Workspace) -> Int {
        var highest = -1
        for operand in work.stack {
            if case .scratch(let index) = operand.content { highest = max(highest, index) }
        }
        return load(content, above: highest, using: &work)
    }

    private func load(
        _ content: Operand.Content,
        above taken: Int,
        using work: inout Workspace
    ) -> Int {
        guard case .leaf(let leaf) = content else {
            guard case .scratch(let index) = content else { return taken }
            return index
        }
        let scratch = taken + 1
        if scratch == work.bitmaps.count { work.bitmaps.append([]) }
        let wordCount = (universe + 63) / 64
        if case .list(let index) = leaf, lists[index].isDense {
            work.bitmaps[scratch].assign(lists[index].words, wordCount: wordCount)
        } else {
            work.bitmaps[scratch].assign([], wordCount: wordCount)
            work.bitmaps[scratch].setBits(of: slots(of: leaf))
        }
        return scratch
    }

    /// The slots of a leaf that isn't dense.
    func slots(of leaf: Leaf) -> [SlotIndex] {
        switch leaf {
        case .none: []
        case .single(let slot): [slot]
        case .list(let index): lists[index].sparse
        }
    }
}
