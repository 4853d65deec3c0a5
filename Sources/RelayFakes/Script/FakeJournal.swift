import HubTemplates
import HubVocabulary
import Synchronization

/// A fake's requests and answers, in order.
package final class FakeJournal: Sendable {
    /// One request.
    package struct Entry: Sendable {
        /// The request.
        package let request: FakeRequest
        /// The handle that it is for; empty for token endpoints.
        package let handle: String
        /// The content as the service understands it: decrypted for browsers.
        package let text: [UInt8]
        /// The answer; nil when the fault leaves none.
        package let answer: FakeAnswer?
        /// The fault that it met.
        package let fault: FakeFault?
    }

    /// An entry as people and programs read it, without secrets.
    package struct Line: Sendable {
        /// A JSON object in one line.
        package let json: String
        /// Status and path.
        package let summary: String
    }

    private let kept = Mutex<[Entry]>([])
    private let keepsEntries: Bool
    private let tell: @Sendable (Line) -> Void

    /// A journal; `tell` gets each entry.
    package init(
        keepsEntries: Bool = false,
        tell: @escaping @Sendable (Line) -> Void = { _ in }
    ) {
        self.keepsEntries = keepsEntries
        self.tell = tell
    }

    /// The entries so far.
    package var entries: [Entry] { kept.withLock(\.self) }

    func note(_ entry: Entry, service: String, now: Timestamp) {
        if keepsEntries { kept.withLock { $0.append(entry) } }
        let end = entry.answer.map { "\($0.status) \($0.word)" } ?? "no answer"
        let fault = entry.fault.map { "  (\($0.name))" } ?? ""
        tell(
            Line(
                json: String(
                    decoding: Self.tree(entry, service: service, now: now).json,
                    as: UTF8.self
                ),
                summary: "\(end)  \(entry.request.path)\(fault)"
            )
        )
    }

    private static func tree(_ entry: Entry, service: String, now: Timestamp) -> JSONTree {
        let request = entry.request
        let headers = request.headers.map { name, value in
            // A token is a secret: its scheme says enough.
            let shown = name == "authorization" ? String(value.prefix { $0 != " " }) : value
            return (name, JSONTree.text(shown))
        }
        var members: [(String, JSONTree)] = [
            ("time", .text(TimeText.iso8601(now))), ("service", .text(service)),
            ("connection", .whole(request.connection)), ("stream", .whole(request.stream)),
            ("method", .text(request.method)), ("host", .text(request.authority)),
            ("path", .text(request.path)), ("headers", .members(headers)),
            ("handle", .text(entry.handle)), ("bytes", .whole(request.body.count)),
            ("text", .text(String(decoding: entry.text, as: UTF8.self))),
        ]
        if let answer = entry.answer {
            members.append(("status", .whole(answer.status)))
            if !answer.word.isEmpty { members.append(("reason", .text(answer.word))) }
        }
        if let fault = entry.fault { members.append(("fault", .text(fault.name))) }
        return .members(members)
    }
}
