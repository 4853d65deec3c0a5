/// A line of text that is being typed.
package struct TextField: Equatable, Sendable {
    /// Characters at most; more are not taken.
    package static let charactersMax = 1_000

    /// Whether what is typed is shown.
    package let isHidden: Bool
    private var characters: [Character] = []
    /// Characters in front of the cursor.
    private var cursor = 0

    /// An empty field.
    package init(isHidden: Bool = false) { self.isHidden = isHidden }

    /// The typed text.
    package var text: String { String(characters) }

    /// Takes a key; false when it means nothing in a field.
    package mutating func receive(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .paste(let text): insert(text)
        case .backspace:
            if cursor > 0 {
                cursor -= 1
                characters.remove(at: cursor)
            }
        case .delete: if cursor < characters.count { characters.remove(at: cursor) }
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .home: cursor = 0
        case .end: cursor = characters.count
        case .control("u"): self = TextField(isHidden: isHidden)
        case .control, .enter, .tab, .backTab, .escape, .up, .down, .pageUp, .pageDown:
            return false
        }
        return true
    }

    private mutating func insert(_ text: String) {
        // A line break of a paste would end the field, other controls cannot be seen.
        let typed = text.compactMap { character -> Character? in
            if character.isNewline || character == "\t" { return " " }
            let isControl = character.unicodeScalars.contains {
                $0.properties.generalCategory == .control
            }
            return isControl ? nil : character
        }
        let taken = typed.prefix(max(0, Self.charactersMax - characters.count))
        characters.insert(contentsOf: taken, at: cursor)
        cursor += taken.count
    }

    /// Returns the part that fits into so many cells around the cursor, and the cell of the cursor
    /// in it.
    package func shown(cells width: Int) -> (text: String, cursor: Int) {
        // Of a hidden text not even the length is seen.
        if isHidden {
            return (characters.isEmpty ? "" : SafeText.fitted("(not shown)", cells: width), 0)
        }
        guard width > 1 else { return ("", 0) }
        var before = SafeText.line(String(characters[..<cursor]))
        while SafeText.cells(of: before) > width - 1 { before.removeFirst() }
        let column = SafeText.cells(of: before)
        let after = SafeText.line(String(characters[cursor...]))
        return (before + SafeText.fitted(after, cells: width - 1 - column), column)
    }
}
