import ArgumentParser
import CommandTerminal
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
    /// - Throws: `Failure` when it cannot be read.
    func notification(_ body: String, tags: String?) throws -> OutgoingNotification {
        let bytes =
            body == "-"
            ? try StandardInput.read("payload", bytesMax: StandardInput.payloadBytesMax)
            : Array(body.utf8)
        guard let platform else { return .template(json: bytes, tags: tags) }
        return .native(platform, body: bytes, tags: tags)
    }

    /// The word for people.
    var shown: String { platform?.commandLineName ?? "template" }

    /// The word in REST.
    var word: String { platform?.format ?? "template" }
}
