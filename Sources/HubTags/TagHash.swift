/// A keyed 64-bit hash of bytes: of tags without the case of ASCII letters, of other keys with it.
///
/// Eight bytes a step, multiply and fold. Tags and handles come from clients, so an index draws its
/// key at random (rules C.4). Without the key no client can prepare tags that collide.
package struct TagHash: Sendable {
    private let start: UInt64
    private let multiplier: UInt64

    /// The hash that tag sets use for comparing; the same in every process, never kept on disk.
    static var fixed: TagHash { TagHash(seed: 0) }

    /// Derives both keys from `seed`.
    package init(seed: UInt64) {
        start = TagHash.scrambled(seed &+ 0x9E37_79B9_7F4A_7C15)
        multiplier = TagHash.scrambled(seed &+ 0x3C6E_F372_FE94_F82A) | 1
    }

    /// The hash of `tag`; equal for tags that are equal under ``TagRules/equal(_:_:)``.
    @inline(__always)
    package func value(of tag: Span<UInt8>) -> UInt64 {
        value(of: tag) { $0.foldedToLowerCase }
    }

    /// The hash of bytes that are equal only when all their bits are.
    package func exactValue(of bytes: Span<UInt8>) -> UInt64 { value(of: bytes) { $0 } }

    /// The hash of sixteen bytes.
    package func value(high: UInt64, low: UInt64) -> UInt64 {
        finished(mixed(mixed(start ^ high) ^ low))
    }

    @inline(__always)
    private func value(of tag: Span<UInt8>, _ fold: (UInt64) -> UInt64) -> UInt64 {
        let count = tag.count
        var hash = start ^ UInt64(truncatingIfNeeded: count)
        guard count >= 8 else { return finished(mixed(hash ^ fold(tag.shortWord))) }
        // Offsets known to the compiler, since most tags are short, and a loop for the rest.
        if count > 8 { hash = mixed(hash ^ fold(tag.word(at: 0))) }
        if count > 16 { hash = mixed(hash ^ fold(tag.word(at: 8))) }
        if count > 24 {
            var offset = 16
            while offset &+ 8 < count {
                hash = mixed(hash ^ fold(tag.word(at: offset)))
                offset &+= 8
            }
        }
        // The last step overlaps the one before instead of walking the tail byte by byte.
        hash = mixed(hash ^ fold(tag.word(at: count &- 8)))
        return finished(hash)
    }

    @inline(__always)
    private func finished(_ hash: UInt64) -> UInt64 { mixed(hash ^ start) }

    @inline(__always)
    private func mixed(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: multiplier)
        return product.high ^ product.low
    }

    /// The finisher of splitmix64, a bijection that leaves no simple relation between seed and key.
    private static func scrambled(_ value: UInt64) -> UInt64 {
        var bits = value
        bits = (bits ^ (bits &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits &>> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits &>> 31)
    }
}

extension Span<UInt8> {
    /// Eight bytes from `offset`, the first in the lowest bits.
    ///
    /// With the whole range checked first, the optimiser drops the check of each byte and makes one
    /// load of the eight, at least for offsets it knows.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        let count = count
        precondition(offset >= 0 && count >= 8 && offset <= count &- 8, "eight bytes must be there")
        return UInt64(self[offset])
            | UInt64(self[offset + 1]) &<< 8
            | UInt64(self[offset + 2]) &<< 16
            | UInt64(self[offset + 3]) &<< 24
            | UInt64(self[offset + 4]) &<< 32
            | UInt64(self[offset + 5]) &<< 40
            | UInt64(self[offset + 6]) &<< 48
            | UInt64(self[offset + 7]) &<< 56
    }

    /// All bytes of a span of at most seven, the first in the lowest bits.
    @inline(__always)
    var shortWord: UInt64 {
        var word: UInt64 = 0
        var offset = 0
        while offset < count {
            word |= UInt64(self[offset]) &<< UInt64(truncatingIfNeeded: offset &* 8)
            offset &+= 1
        }
        return word
    }
}

extension UInt64 {
    /// Eight bytes with each ASCII `A`–`Z` made lower case; bytes from 0x80 on stay as they are.
    @inline(__always)
    var foldedToLowerCase: UInt64 {
        let low7 = self & 0x7F7F_7F7F_7F7F_7F7F
        // The top bit of each byte says: at least "A", above "Z", not ASCII.
        let fromA = low7 &+ 0x3F3F_3F3F_3F3F_3F3F
        let aboveZ = low7 &+ 0x2525_2525_2525_2525
        let isUpper = (fromA ^ aboveZ) & ~self & 0x8080_8080_8080_8080
        return self | (isUpper &>> 2)
    }
}
