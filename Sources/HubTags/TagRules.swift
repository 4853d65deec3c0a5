/// The rules for the text of a tag, and for when two tags are the same.
///
/// Source: rules C.3, C.4; REST §6.1.
/// Equality folds ASCII `A`–`Z` only, in place, so that it means the same in every locale and needs
/// no `String`.
package enum TagRules {
    /// Returns the problem for which a device or backend may not choose `tag`; nil when it may.
    ///
    /// Allowed: 1 to `limits.tagBytesMax` bytes of UTF-8; letters and digits of any script and
    /// `_ @ # . : -`. So everything that begins with `$` is refused.
    package static func check(
        _ tag: Span<UInt8>,
        limits: TagLimits = .standard
    ) -> TagProblem? {
        if tag.isEmpty { return .empty }
        if tag.count > limits.tagBytesMax { return .tooLong(limit: limits.tagBytesMax) }
        switch endOfTag(in: tag, from: 0) {
        case .malformed(let position): return .malformedUTF8(position: position)
        case .end(let end): return end == tag.count ? nil : .forbidden(position: end)
        }
    }

    /// As ``check(_:limits:)``, but `$InstallationId:{…}` and `$UserId:{…}` pass too.
    ///
    /// Whether the caller may use them is a question of access (rules C.3), not of form.
    package static func checkIncludingReserved(
        _ tag: Span<UInt8>,
        limits: TagLimits = .standard
    ) -> TagProblem? {
        guard isReserved(tag) else { return check(tag, limits: limits) }
        if tag.count > limits.tagBytesMax { return .tooLong(limit: limits.tagBytesMax) }
        switch endOfReservedTag(in: tag, from: 0) {
        case .unknown: return .forbidden(position: 0)
        case .unterminated: return .forbidden(position: tag.count)
        case .forbidden(let position): return .forbidden(position: position)
        case .malformed(let position): return .malformedUTF8(position: position)
        case .end(let end): return end == tag.count ? nil : .forbidden(position: end)
        }
    }

    /// Whether `tag` begins with `$` and so belongs to the hub.
    ///
    /// Source: rules C.3.
    package static func isReserved(_ tag: Span<UInt8>) -> Bool {
        !tag.isEmpty && tag[0] == UInt8(ascii: "$")
    }

    /// `byte` in lower case when it is ASCII `A`–`Z`, otherwise itself.
    @inline(__always)
    package static func fold(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// Whether both are the same tag: equal bytes after folding ASCII `A`–`Z`.
    @inline(__always)
    package static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        let count = left.count
        guard count == right.count else { return false }
        guard count >= 8 else {
            return left.shortWord.foldedToLowerCase == right.shortWord.foldedToLowerCase
        }
        // As for the hash: offsets known to the compiler, and a loop for long tags.
        if count > 8, !equalWords(left, right, at: 0) { return false }
        if count > 16, !equalWords(left, right, at: 8) { return false }
        if count > 24 {
            var offset = 16
            while offset &+ 8 < count {
                guard equalWords(left, right, at: offset) else { return false }
                offset &+= 8
            }
        }
        return equalWords(left, right, at: count &- 8)
    }

    /// Whether `tag` begins with `prefix` after folding ASCII `A`–`Z`; an empty prefix always fits.
    package static func hasPrefix(_ tag: Span<UInt8>, _ prefix: Span<UInt8>) -> Bool {
        guard prefix.count <= tag.count else { return false }
        return equal(tag.extracting(0..<prefix.count), prefix)
    }

    @inline(__always)
    private static func equalWords(
        _ left: Span<UInt8>,
        _ right: Span<UInt8>,
        at offset: Int
    ) -> Bool {
        let first = left.word(at: offset)
        let second = right.word(at: offset)
        return first == second || first.foldedToLowerCase == second.foldedToLowerCase
    }
}
