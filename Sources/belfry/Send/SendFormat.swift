import ArgumentParser
import Foundation
import HubClient
import HubSender

/// A word of `--format`.
struct SendFormat {
    /// The platform of a native send; nil for templates.
    let platform: Platform?

    /// Reads a word: `template`, a platform, or its format in REST.
    init(_ word: String) throws {
        platform = Platform(named: word)
        guard platform == nil, word.lowercased() != "template" else { return }
        let words = ["template"] + Platform.allCases.map(\.commandLineName)
        throw ValidationError.wrong(word, kind: "format", words: words)
    }

    /// The notification of a payload as it is typed; `-` reads standard input.
    func notification(_ body: String, tags: String?) -> OutgoingNotification {
        let bytes =
            body == "-" ? [UInt8](FileHandle.standardInput.readDataToEndOfFile()) : Array(body.utf8)
        guard let platform else { return .template(json: bytes, tags: tags) }
        return .native(platform, body: bytes, tags: tags)
    }

    /// The word for people.
    var shown: String { platform?.commandLineName ?? "template" }

    /// The word in REST.
    var word: String { platform?.format ?? "template" }
}
