/// The word that a user may have meant who mistyped one.
package enum NearestWord {
    /// The word that fewest edits make of `typed`; nil when none is near.
    ///
    /// Case does not count. Of words that are equally near the first one is meant.
    package static func of(_ typed: String, among words: [String]) -> String? {
        let most = max(1, typed.count / 3)
        let near = words.map { (edits(from: typed.lowercased(), to: $0.lowercased()), $0) }
        let best = near.min { $0.0 < $1.0 }
        guard let best, best.0 <= most, best.0 < best.1.count else { return nil }
        return best.1
    }

    /// Letters inserted, removed or replaced to get from one word to another; a word that lacks
    /// letters behind its first one is one edit away.
    private static func edits(from typed: String, to word: String) -> Int {
        guard typed != word else { return 0 }
        guard typed.count < 2 || !lacksLetters(typed, of: word) else { return 1 }
        let letters = Array(word)
        var row = Array(0...letters.count)
        for (place, letter) in typed.enumerated() {
            var corner = row[0]
            row[0] = place + 1
            for index in letters.indices {
                let replaced = corner + (letters[index] == letter ? 0 : 1)
                corner = row[index + 1]
                row[index + 1] = min(replaced, row[index] + 1, corner + 1)
            }
        }
        return row[letters.count]
    }

    private static func lacksLetters(_ typed: String, of word: String) -> Bool {
        guard typed.first == word.first else { return false }
        var rest = typed[...]
        for letter in word where letter == rest.first { rest.removeFirst() }
        return rest.isEmpty
    }
}
