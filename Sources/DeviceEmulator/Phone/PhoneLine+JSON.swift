import FoundationEssentials

extension PhoneLine: Codable {
    /// The words of the member `event`.
    package enum Event: String, Codable, Equatable, Sendable {
        case started, connected, disconnected, loggedIn, loggedOut, loginEnded, registered
        case request, push, fetch, shown, entry, removed, opened, sent, gap, problem, done
    }

    fileprivate enum Key: String, CodingKey {
        case event, text, tags, lost, id, path, retryInMilliseconds
    }

    /// The event that the line tells.
    package var event: Event {
        switch self {
        case .started: .started
        case .connected: .connected
        case .disconnected: .disconnected
        case .loggedIn: .loggedIn
        case .loggedOut: .loggedOut
        case .loginEnded: .loginEnded
        case .registered: .registered
        case .request: .request
        case .push: .push
        case .fetch: .fetch
        case .shown: .shown
        case .entry: .entry
        case .removed: .removed
        case .opened: .opened
        case .sent: .sent
        case .gap: .gap
        case .problem: .problem
        case .done: .done
        }
    }

    /// Reads a line.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func text() throws -> String { try container.decode(String.self, forKey: .text) }
        func optionalText() throws -> String? {
            try container.decodeIfPresent(String.self, forKey: .text)
        }
        switch try container.decode(Event.self, forKey: .event) {
        case .started:
            let categories = try container.decode([String].self, forKey: .tags)
            self = .started(user: try optionalText(), categories: categories)
        case .connected: self = .connected
        case .disconnected:
            self = .disconnected(
                retryInMilliseconds: try container.decodeIfPresent(
                    UInt64.self,
                    forKey: .retryInMilliseconds
                )
            )
        case .loggedIn: self = .loggedIn(user: try text())
        case .loggedOut: self = .loggedOut
        case .loginEnded: self = .loginEnded(user: try text())
        case .registered: self = .registered(try Registered(from: decoder))
        case .request: self = .request(try Request(from: decoder))
        case .push: self = .push(try Push(from: decoder))
        case .fetch: self = .fetch(try Fetch(from: decoder))
        case .shown: self = .shown(try Shown(from: decoder))
        case .entry: self = .entry(try Item(from: decoder))
        case .removed: self = .removed(try Item(from: decoder))
        case .opened: self = .opened(try Opened(from: decoder))
        case .sent: self = .sent(problems: try text())
        case .gap:
            let lost = try container.decodeIfPresent(Int.self, forKey: .lost)
            self = .gap(reason: try text(), lost: lost)
        case .problem: self = .problem(try text())
        case .done: self = .done(fault: try optionalText())
        }
    }

    /// Writes the word of the event, and its members beside it.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(event, forKey: .event)
        switch self {
        case .connected, .loggedOut: break
        case .disconnected(let milliseconds):
            try container.encodeIfPresent(milliseconds, forKey: .retryInMilliseconds)
        case .started(let user, let categories):
            try container.encodeIfPresent(user, forKey: .text)
            try container.encode(categories, forKey: .tags)
        case .loggedIn(let text), .loginEnded(let text), .sent(let text), .problem(let text):
            try container.encode(text, forKey: .text)
        case .registered(let line): try line.encode(to: encoder)
        case .request(let line): try line.encode(to: encoder)
        case .push(let line): try line.encode(to: encoder)
        case .fetch(let line): try line.encode(to: encoder)
        case .shown(let line): try line.encode(to: encoder)
        case .entry(let item), .removed(let item): try item.encode(to: encoder)
        case .opened(let line): try line.encode(to: encoder)
        case .gap(let reason, let lost):
            try container.encode(reason, forKey: .text)
            try container.encodeIfPresent(lost, forKey: .lost)
        case .done(let fault): try container.encodeIfPresent(fault, forKey: .text)
        }
    }

    /// The line as JSON.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // There is nothing in it but texts and whole numbers.
        guard let data = try? encoder.encode(self) else {
            preconditionFailure("a line holds only what JSON can hold")
        }
        return String(decoding: data, as: UTF8.self)
    }
}

extension PhoneLine.Fetch: Codable {
    /// Reads how a fetch ended, and the content beside it.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: PhoneLine.Key.self)
        outcome = try container.decode(Outcome.self, forKey: .text)
        let hasContent = container.contains(.id)
        content = hasContent ? try PhoneLine.FetchedContent(from: decoder) : nil
    }

    /// Writes content beside how a fetch ended.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PhoneLine.Key.self)
        try container.encode(outcome, forKey: .text)
        try content?.encode(to: encoder)
    }
}

extension PhoneLine.Shown: Codable {
    private enum Key: String, CodingKey { case mediaType, buttons }

    /// Reads an entry, and what is beside it.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        item = try PhoneLine.Item(from: decoder)
        mediaType = try container.decodeIfPresent(String.self, forKey: .mediaType)
        buttons = try container.decodeIfPresent([String].self, forKey: .buttons)
    }

    /// Writes an entry, and what is beside it.
    package func encode(to encoder: any Encoder) throws {
        try item.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(mediaType, forKey: .mediaType)
        try container.encodeIfPresent(buttons, forKey: .buttons)
    }
}

extension PhoneLine.Opened: Codable {
    /// Reads an entry, and the content beside it.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: PhoneLine.Key.self)
        item = try PhoneLine.Item(from: decoder)
        let hasContent = container.contains(.path)
        content = hasContent ? try PhoneLine.OpenedContent(from: decoder) : nil
    }

    /// Writes an entry, and the content beside it.
    package func encode(to encoder: any Encoder) throws {
        try item.encode(to: encoder)
        try content?.encode(to: encoder)
    }
}
