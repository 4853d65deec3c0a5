package import ArgumentParser
package import HubVocabulary
import PhoneScreen

extension ValidationError {
    /// The error for a wrong word: it names the valid words, or the one that was meant.
    package static func wrong(_ word: String, kind: String, words: [String]) -> ValidationError {
        let shown = SafeText.line(word)
        if let nearest = NearestWord.of(word, among: words) {
            return ValidationError("'\(shown)' is no \(kind): did you mean '\(nearest)'?")
        }
        return ValidationError("'\(shown)' is no \(kind): \(words.joined(separator: ", ")).")
    }
}

extension Platform {
    /// The word that people read for a platform, of any word for it.
    package static func shown(_ word: String) -> String {
        Platform(named: word)?.commandLineName ?? word
    }

    /// The platform that `--platform` names.
    package static func read(_ word: String) throws -> Platform {
        if let platform = Platform(named: word) { return platform }
        throw ValidationError.wrong(
            word,
            kind: "platform",
            words: allCases.map(\.commandLineName)
        )
    }
}
