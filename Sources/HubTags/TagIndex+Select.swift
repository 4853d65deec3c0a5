// From an expression to its audience. Two ways, by the number of registrations that must be looked at:
// few, and they are gathered and filtered one by one; many, and whole bitmaps are combined by words.

extension TagIndex {
    /// Memory that selections use again, so that a selection allocates only when it must grow.
    struct Workspace: Sendable {
        var leaves: [Leaf] = []
        var gathered: [SlotIndex] = []
        var merged: [SlotIndex] = []
        var bitmaps: [[UInt64]] = []
        var stack: [Operand] = []

        var memoryBytes: Int {
            (gathered.capacity + merged.capacity) * 4
                + bitmaps.reduce(0) { $0 + $1.capacity * 8 }
        }
    }

    /// The posting list of one tag of an expression.
    enum Leaf: Sendable {
        /// No registration has the tag.
        case none
        case single(SlotIndex)
        /// Index in `lists`.
        case list(Int)
    }

    /// Gathering several lists costs a merge each, so it pays only up to this share of all slots.
    private static var gatherShare: Int { 128 }

    /// Appends the slots of every registration that satisfies `expression`, ascending, each once.
    ///
    /// Without an expression everyone is addressed. With `base` only registrations that have this tag
    /// are: one more operand of the outermost `&&`, for the caller's own classes of registrations.
    /// Linear in the posting lists that drive; allocates only when `audience` or the scratch memory
    /// must grow. It is `mutating` for the scratch memory only.
    package mutating func select(
        _ expression: TagExpression?,
        within base: TagID?,
        into audience: inout [SlotIndex]
    ) {
        let baseLeaf = base.map { leaf(of: $0) }
        guard let expression else { return appendAll(baseLeaf, to: &audience) }
        var work = Workspace()
        swap(&work, &workspace)
        select(expression, within: baseLeaf, into: &audience, using: &work)
        swap(&work, &workspace)
    }

    /// The posting list of a known tag.
    func leaf(of tag: TagID) -> Leaf {
        let record = record(of: tag)
        switch record.place {
        case .free, .empty: return .none
        case .single: return .single(SlotIndex(raw: record.value))
        case .list: return .list(Int(record.value))
        }
    }

    func count(of leaf: Leaf) -> Int {
        switch leaf {
        case .none: 0
        case .single: 1
        case .list(let index): lists[index].count
        }
    }

    /// Appends all slots of a leaf, or every live slot.
    func appendAll(_ leaf: Leaf?, to audience: inout [SlotIndex]) {
        switch leaf {
        case nil: live.appendSlots(count: slotCount, to: &audience)
        case .some(.none): break
        case .single(let slot): audience.append(slot)
        case .list(let index):
            if lists[index].isDense {
                lists[index].words.appendSlots(count: lists[index].count, to: &audience)
            } else {
                audience.append(contentsOf: lists[index].sparse)
            }
        }
    }

    private func select(
        _ expression: TagExpression,
        within base: Leaf?,
        into audience: inout [SlotIndex],
        using work: inout Workspace
    ) {
        work.leaves.removeAll(keepingCapacity: true)
        for index in 0..<expression.tagCount {
            work.leaves.append(lookup(expression.tag(at: index)).map { leaf(of: $0) } ?? .none)
        }
        let leaves = work.leaves
        if base == nil, expression.steps.count == 1 { return appendAll(leaves[0], to: &audience) }
        let cover = expression.cover { count(of: leaves[$0]) }
        if let base, isSparse(base), count(of: base) <= cover?.cost ?? .max {
            let start = audience.count
            appendAll(base, to: &audience)
            filter(&audience, from: start, by: expression, leaves, except: nil)
        } else if let cover, isWorthGathering(cover, leaves) {
            let start = audience.count
            gather(cover, using: &work, into: &audience)
            filter(&audience, from: start, by: expression, leaves, except: cover.tags)
            if let base { filter(&audience, from: start, by: base, isNegated: false) }
        } else {
            combine(expression, within: base, into: &audience, using: &work)
        }
    }

    private func isSparse(_ leaf: Leaf) -> Bool {
        if case .list(let index) = leaf { return !lists[index].isDense }
        return true
    }

    private func isWorthGathering(_ cover: TagCover, _ leaves: [Leaf]) -> Bool {
        for index in leaves.indices where cover.tags &>> UInt64(index) & 1 != 0 {
            guard isSparse(leaves[index]) else { return false }
        }
        return cover.tags.nonzeroBitCount == 1 || cover.cost <= universe / Self.gatherShare
            || cover.cost <= 64
    }

    /// Appends the union of the lists in the cover, which are all sparse.
    private func gather(
        _ cover: TagCover,
        using work: inout Workspace,
        into audience: inout [SlotIndex]
    ) {
        if cover.tags.nonzeroBitCount == 1 {
            return appendAll(work.leaves[cover.tags.trailingZeroBitCount], to: &audience)
        }
        if cover.tags.nonzeroBitCount == 2 {
            let first = work.leaves[cover.tags.trailingZeroBitCount]
            let second = work.leaves[63 &- cover.tags.leadingZeroBitCount]
            return audience.appendUnion(of: slots(of: first), slots(of: second))
        }
        work.gathered.removeAll(keepingCapacity: true)
        var rest = cover.tags
        while rest != 0 {
            switch work.leaves[rest.trailingZeroBitCount] {
            case .none: break
            case .single(let slot): work.merge([slot])
            case .list(let index): work.merge(lists[index].sparse)
            }
            rest &= rest - 1
        }
        audience.append(contentsOf: work.gathered)
    }
}

extension TagIndex.Workspace {
    /// Merges an ascending list into `gathered`.
    mutating func merge(_ list: [SlotIndex]) {
        guard !gathered.isEmpty else { return gathered.append(contentsOf: list) }
        merged.removeAll(keepingCapacity: true)
        merged.appendUnion(of: gathered, list)
        swap(&gathered, &merged)
    }
}

extension [SlotIndex] {
    /// Appends what is in one of two ascending lists, or in both, once.
    fileprivate mutating func appendUnion(of one: [SlotIndex], _ other: [SlotIndex]) {
        var left = 0
        var right = 0
        append(addingCapacity: one.count + other.count) { output in
            let (one, other) = (one.span, other.span)
            while left < one.count, right < other.count {
                let first = one[left]
                let second = other[right]
                output.append(Swift.min(first, second))
                left &+= first <= second ? 1 : 0
                right &+= second <= first ? 1 : 0
            }
        }
        append(contentsOf: one[left...])
        append(contentsOf: other[right...])
    }
}
