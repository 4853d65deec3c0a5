/// Where the characters of a text end, each found once however many expressions cut it.
///
/// Characters are extended grapheme clusters, as a reader counts them: a family emoji, a flag or a
/// letter with accents is never torn apart. One may be as long as the text.
struct CharacterEnds {
    private let value: ArraySlice<UInt8>
    private let text: String
    /// The bytes of the first characters, by how many they are.
    private var ends = [0]
    private var next: String.Index

    init(of value: ArraySlice<UInt8>) {
        self.value = value
        text = String(decoding: value, as: UTF8.self)
        next = text.startIndex
    }

    /// The first `length` characters; nil when there are no more than that.
    mutating func cut(to length: Int) -> ArraySlice<UInt8>? {
        while ends.count <= length, next < text.endIndex {
            next = text.index(after: next)
            ends.append(text.utf8.distance(from: text.startIndex, to: next))
        }
        guard ends.count > length, ends[length] < text.utf8.count else { return nil }
        return value.prefix(ends[length])
    }
}
