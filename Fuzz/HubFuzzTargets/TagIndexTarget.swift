import HubTags

/// A history of registrations that come, change and go; three bytes are one step.
///
/// Property: every posting list and every selection agrees with the same history kept as plain sets.
package func fuzzTagIndex(_ bytes: Span<UInt8>) {
    var history = TagHistory()
    var position = 0
    while position + 3 <= bytes.count, position < 3_000 {
        history.step(bytes[position], bytes[position + 1], bytes[position + 2])
        position += 3
    }
    history.check()
}

private struct TagHistory: ~Copyable {
    private static let names = (0..<16).map { number in Array("tag:\(number)".utf8) }
    private static let spellings = (0..<16).map { number in Array("TAG:\(number)".utf8) }

    private var index = TagIndex(seed: 1)
    /// Bit *t* of element *s*: the registration in slot *s* has tag *t*; nil for a free slot.
    private var slots: [UInt16?] = Array(repeating: nil, count: 256)

    mutating func step(_ operation: UInt8, _ place: UInt8, _ argument: UInt8) {
        let slot = SlotIndex(raw: UInt32(place))
        let tag = Int(argument & 15)
        switch operation % 6 {
        case 0:
            guard slots[Int(place)] == nil else { return }
            let tags = UInt16(argument) | UInt16(operation) << 8
            index.insert(slot, tags: ids(tags))
            slots[Int(place)] = tags
        case 1:
            index.remove(slot)
            slots[Int(place)] = nil
        case 2:
            guard slots[Int(place)] != nil else { return }
            index.add(intern(Self.spellings[tag]), to: slot)
            slots[Int(place)]? |= 1 << UInt16(tag)
        case 3:
            index.remove(intern(Self.names[tag]), from: slot)
            slots[Int(place)]? &= ~(1 << UInt16(tag))
        case 4:
            let tags = UInt16(argument) << 8 | UInt16(operation)
            index.replace(slot, tags: ids(tags))
            slots[Int(place)] = tags
        default:
            checkSelection(tag, Int(argument >> 4), Int(place & 15))
        }
    }

    mutating func check() {
        for tag in 0..<16 {
            let name = Self.names[tag]
            let known = index.lookup(name.span)
            let count = known.map { index.count(of: $0) } ?? 0
            let expected = slots.count { $0.map { $0 >> UInt16(tag) & 1 != 0 } ?? false }
            precondition(count == expected, "tag \(tag) counts \(count), not \(expected)")
        }
        checkSelection(0, 1, 2)
        var audience: [SlotIndex] = []
        index.select(nil, within: nil, into: &audience)
        precondition(audience.count == slots.count { $0 != nil }, "not everyone")
    }

    private mutating func intern(_ tag: [UInt8]) -> TagID { index.intern(tag.span) }

    private mutating func ids(_ tags: UInt16) -> [TagID] {
        var ids: [TagID] = []
        for tag in 0..<16 where tags >> UInt16(tag) & 1 != 0 {
            ids.append(intern(Self.names[tag]))
        }
        return ids
    }

    private mutating func checkSelection(_ first: Int, _ second: Int, _ third: Int) {
        let text = "(tag:\(first) || TAG:\(second)) && !tag:\(third)"
        guard let expression = try? TagExpression(parsing: Array(text.utf8)) else {
            preconditionFailure("\(text) isn't an expression")
        }
        var audience: [SlotIndex] = []
        index.select(expression, within: nil, into: &audience)
        var expected: [SlotIndex] = []
        for (slot, tags) in slots.enumerated() {
            guard let tags else { continue }
            let has = { (tag: Int) in tags >> UInt16(tag) & 1 != 0 }
            guard has(first) || has(second), !has(third) else { continue }
            expected.append(SlotIndex(raw: UInt32(slot)))
        }
        precondition(audience == expected, "\(text) selects \(audience)")
    }
}
