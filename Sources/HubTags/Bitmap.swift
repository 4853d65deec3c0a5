// Bitmaps are plain arrays of words passed as parameters: the optimiser vectorises these loops as well
// as it would with pointers. Arrays of different lengths count as filled up with zeros.

extension [UInt64] {
    /// Whether the bit of `slot` is set; bits past the end are not.
    @inline(__always)
    func hasBit(_ slot: SlotIndex) -> Bool {
        let word = Int(slot.raw &>> 6)
        return word < count && self[word] &>> UInt64(slot.raw & 63) & 1 != 0
    }

    /// The bit of `slot`, 0 past the end.
    @inline(__always)
    func bit(of slot: SlotIndex) -> UInt64 {
        let word = Int(slot.raw &>> 6)
        return word < count ? self[word] &>> UInt64(slot.raw & 63) & 1 : 0
    }

    /// Sets the bit of `slot`, which must lie in the array; false when it was set.
    mutating func setBit(_ slot: SlotIndex) -> Bool {
        let word = Int(slot.raw &>> 6)
        let bit = 1 as UInt64 &<< UInt64(slot.raw & 63)
        guard self[word] & bit == 0 else { return false }
        self[word] |= bit
        return true
    }

    /// Clears the bit of `slot`; false when it wasn't set.
    mutating func clearBit(_ slot: SlotIndex) -> Bool {
        guard hasBit(slot) else { return false }
        self[Int(slot.raw &>> 6)] &= ~(1 as UInt64 &<< UInt64(slot.raw & 63))
        return true
    }

    /// Sets the bits of slots that all lie in the array.
    mutating func setBits(of slots: [SlotIndex]) {
        for slot in slots {
            self[Int(slot.raw &>> 6)] |= 1 as UInt64 &<< UInt64(slot.raw & 63)
        }
    }

    /// Clears the bits of slots that all lie in the array.
    mutating func clearBits(of slots: [SlotIndex]) {
        for slot in slots {
            self[Int(slot.raw &>> 6)] &= ~(1 as UInt64 &<< UInt64(slot.raw & 63))
        }
    }

    /// Appends words of zeros until `slot` has its bit.
    mutating func extend(toInclude slot: SlotIndex) {
        let needed = Int(slot.raw &>> 6) + 1
        guard needed > count else { return }
        append(contentsOf: repeatElement(0, count: needed - count))
    }

    /// How many bits are set.
    var bitCount: Int {
        var sum = 0
        for word in self { sum &+= word.nonzeroBitCount }
        return sum
    }

    /// Appends the slots of the set bits, ascending; `slotCount` is the number of these bits.
    ///
    /// In dense words a processor guesses badly how many bits each word has. There whole groups are
    /// written, and the surplus at a group's end is taken back.
    func appendSlots(count slotCount: Int, to slots: inout [SlotIndex]) {
        if slotCount >= count &* 12 {
            appendGroups(of: 8, count: slotCount, to: &slots)
        } else if slotCount >= count &* 4 {
            appendGroups(of: 4, count: slotCount, to: &slots)
        } else {
            appendSingly(count: slotCount, to: &slots)
        }
    }

    private func appendSingly(count slotCount: Int, to slots: inout [SlotIndex]) {
        slots.append(addingCapacity: slotCount) { output in
            for index in 0..<count {
                var word = self[index]
                let base = UInt32(truncatingIfNeeded: index &<< 6)
                while word != 0 {
                    let bit = UInt32(truncatingIfNeeded: word.trailingZeroBitCount)
                    output.append(SlotIndex(raw: base | bit))
                    word &= word &- 1
                }
            }
        }
    }

    @inline(__always)
    private func appendGroups(of size: Int, count slotCount: Int, to slots: inout [SlotIndex]) {
        slots.append(addingCapacity: slotCount &+ size) { output in
            for index in 0..<count {
                var word = self[index]
                let base = UInt32(truncatingIfNeeded: index &<< 6)
                var left = word.nonzeroBitCount
                while left > 0 {
                    for _ in 0..<size {
                        // With a bit that is always set, no zero has to be looked for; what it
                        // gives when the word has no bits left is taken back below.
                        let bit = (word | 1 &<< 63).trailingZeroBitCount
                        output.append(SlotIndex(raw: base | UInt32(truncatingIfNeeded: bit)))
                        word &= word &- 1
                    }
                    left &-= size
                }
                if left < 0 { output.removeLast(0 &- left) }
            }
        }
    }

    /// Becomes a copy of `other` filled up to `wordCount`, without giving memory back.
    mutating func assign(_ other: [UInt64], wordCount: Int) {
        removeAll(keepingCapacity: true)
        append(contentsOf: other)
        if wordCount > count { append(contentsOf: repeatElement(0, count: wordCount - count)) }
    }

    /// Keeps what is also in `other`.
    mutating func formIntersection(_ other: [UInt64]) {
        let common = Swift.min(count, other.count)
        for index in 0..<common { self[index] &= other[index] }
        for index in common..<count { self[index] = 0 }
    }

    /// Adds what is in `other`, which is no longer than this.
    mutating func formUnion(_ other: [UInt64]) {
        let common = Swift.min(count, other.count)
        for index in 0..<common { self[index] |= other[index] }
    }

    /// Takes out what is in `other`.
    mutating func subtract(_ other: [UInt64]) {
        let common = Swift.min(count, other.count)
        for index in 0..<common { self[index] &= ~other[index] }
    }

    /// Becomes what is in `other` but not in this.
    mutating func formRest(of other: [UInt64]) {
        let common = Swift.min(count, other.count)
        for index in 0..<common { self[index] = other[index] & ~self[index] }
        for index in common..<count { self[index] = 0 }
    }
}
