/// Bytes of a terminal to keys; what it does not know it passes over.
package struct KeyDecoder: Sendable {
    /// Bytes of an escape sequence at most; a longer one is none.
    package static let sequenceBytesMax = 32
    /// Bytes of one paste at most; the rest is passed over.
    package static let pasteBytesMax = 16_384

    private static let escape: UInt8 = 0x1B
    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    private var pending: [UInt8] = []
    /// The pasted bytes so far; nil outside of a paste.
    private var pasted: [UInt8]?

    /// A decoder at the beginning of a stream.
    package init() {}

    /// Whether it waits for the rest of something; after a pause `flush` says what it was.
    package var isWaiting: Bool { !pending.isEmpty && pasted == nil }

    /// Takes bytes and gives the keys that are complete.
    package mutating func receive(_ bytes: [UInt8]) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        while let (key, count) = next() {
            pending.removeFirst(count)
            if let key { keys.append(key) }
        }
        return keys
    }

    /// Nothing came for a moment: an escape byte alone was the key.
    package mutating func flush() -> [Key] {
        guard isWaiting else { return [] }
        defer { pending = [] }
        return pending == [Self.escape] ? [.escape] : []
    }

    /// The first key of what is pending, or nothing known, with its bytes; nil when more must come.
    private mutating func next() -> (Key?, Int)? {
        if pasted != nil { return paste() }
        guard let first = pending.first else { return nil }
        switch first {
        case Self.escape: return sequence()
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x7F, 0x08: return (.backspace, 1)
        case 0x01...0x1A:
            return (.control(Character(UnicodeScalar(first + 0x60))), 1)
        case 0x00, 0x1C...0x1F: return (nil, 1)
        default: return character(first)
        }
    }

    private func character(_ first: UInt8) -> (Key?, Int)? {
        let length =
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        guard pending.count >= length else { return nil }
        let text = String(validating: pending[..<length], as: UTF8.self)
        // A byte that begins nothing is passed over alone.
        guard let text, let character = text.first else { return (nil, 1) }
        return (.character(character), length)
    }

    private mutating func sequence() -> (Key?, Int)? {
        guard pending.count >= 2 else { return nil }
        if pending[1] == UInt8(ascii: "O") {
            guard pending.count >= 3 else { return nil }
            return (Self.key(final: pending[2], parameter: ""), 3)
        }
        // Escape and then another key.
        guard pending[1] == UInt8(ascii: "[") else { return (.escape, 1) }
        let rest = pending.dropFirst(2)
        guard let end = rest.firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            return rest.count < Self.sequenceBytesMax ? nil : (nil, pending.count)
        }
        let parameter = String(decoding: pending[2..<end], as: UTF8.self)
        if pending[end] == UInt8(ascii: "~"), parameter == "200" {
            pasted = []
            return (nil, end + 1)
        }
        return (Self.key(final: pending[end], parameter: parameter), end + 1)
    }

    private mutating func paste() -> (Key?, Int)? {
        if let end = pending.firstRange(of: Self.pasteEnd) {
            let text = keep(pending[..<end.lowerBound])
            pasted = nil
            return (.paste(String(decoding: text, as: UTF8.self)), end.upperBound)
        }
        // The end's beginning may be there already.
        let count = pending.count - (Self.pasteEnd.count - 1)
        guard count > 0 else { return nil }
        pasted = keep(pending[..<count])
        return (nil, count)
    }

    private func keep(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(((pasted ?? []) + bytes).prefix(Self.pasteBytesMax))
    }

    private static func key(final: UInt8, parameter: String) -> Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "Z"): .backTab
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "~"):
            switch parameter.prefix(while: { $0 != ";" }) {
            case "1", "7": .home
            case "3": .delete
            case "4", "8": .end
            case "5": .pageUp
            case "6": .pageDown
            default: nil
            }
        default: nil
        }
    }
}
