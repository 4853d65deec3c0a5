import ArgumentParser
import HubClient

/// A word of `--format`.
struct SendFormat {
    /// The platform of a native send; nil for templates.
    let platform: DevicePlatform?

    /// Reads a word: `template`, a platform, or its format in REST.
    init(_ word: String) throws {
        platform = DevicePlatform(named: word)
        guard platform == nil, word.lowercased() != "template" else { return }
        let words = ["template"] + DevicePlatform.allCases.map(\.commandLineName)
        throw ValidationError.wrong(word, kind: "format", words: words)
    }

    /// The word in REST.
    var word: String { platform?.format ?? "template" }
}
