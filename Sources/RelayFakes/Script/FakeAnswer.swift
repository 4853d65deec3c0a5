import HubTemplates
import HubVocabulary

/// An answer of a fake, with the word that the journal shows for it.
package struct FakeAnswer: Sendable {
    /// The status.
    package var status: Int
    /// Headers beside those of the server.
    package var headers: [(name: String, value: String)]
    /// The content.
    package var body: [UInt8]
    /// The service's reason; empty for success.
    package var word: String

    init(
        _ status: Int,
        _ word: String = "",
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = []
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.word = word
    }

    init(_ status: Int, _ word: String = "", json: JSONTree) {
        self.init(
            status,
            word,
            headers: [("content-type", "application/json")],
            body: json.json
        )
    }

    func adding(_ name: String, _ value: String?) -> FakeAnswer {
        guard let value else { return self }
        var answer = self
        answer.headers.append((name, value))
        return answer
    }
}

extension JSONTree {
    static func text(_ text: String) -> JSONTree { .string(Array(text.utf8)) }
    static func whole(_ number: Int) -> JSONTree { .number(Array("\(number)".utf8)) }
    static func members(_ members: [(String, JSONTree)]) -> JSONTree {
        .object(members.map { JSONMember($0.0, $0.1) })
    }

    /// The text of a member; nil for another kind.
    func text(_ name: String) -> String? {
        guard case .string(let bytes)? = member(name) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The whole number of a member; nil for another kind.
    func whole(_ name: String) -> UInt64? {
        guard case .number(let digits)? = member(name) else { return nil }
        return ASCII.decimal(digits)
    }

    /// Reads a text; nil when it is no JSON.
    init?(reading bytes: [UInt8]) {
        // The fault does not matter: the service answers that it is none.
        guard let tree = try? JSONTree(json: bytes.span, depthMax: 64) else { return nil }
        self = tree
    }
}
