/// Bytes as a key, hashed eight at a time: `[UInt8]` itself hashes them one by one, which is a tenth
/// of the time it takes to load a hub.
package struct BytesKey: Hashable {
    /// The bytes of the key.
    package let bytes: [UInt8]

    /// A key of bytes.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package func hash(into hasher: inout Hasher) { hasher.combine(words: bytes) }
}

extension Hasher {
    /// Goes on with bytes and their number.
    package mutating func combine(words bytes: [UInt8]) {
        let span = bytes.span
        combine(span.count)
        var word: UInt64 = 0
        for index in span.indices {
            word = word << 8 | UInt64(span[index])
            guard index & 7 == 7 else { continue }
            combine(word)
            word = 0
        }
        combine(word)
    }
}
