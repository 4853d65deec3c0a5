import FoundationEssentials

extension DeviceLine: Codable {
    private enum Key: String, CodingKey { case event, message }

    /// The words of `event`.
    private enum Event: String, Codable {
        case connected, registered, notification, gap, disconnected, error
    }

    /// Reads a line.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        switch try container.decode(Event.self, forKey: .event) {
        case .connected: self = .connected(try Connected(from: decoder))
        case .registered: self = .registered(try Registered(from: decoder))
        case .notification: self = .notification(try Notification(from: decoder))
        case .gap: self = .gap(try Gap(from: decoder))
        case .disconnected: self = .disconnected(try Disconnected(from: decoder))
        case .error:
            self = .error(message: try container.decode(String.self, forKey: .message))
        }
    }

    /// Writes the word of the event, and its members beside it.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .connected(let line):
            try container.encode(Event.connected, forKey: .event)
            try line.encode(to: encoder)
        case .registered(let line):
            try container.encode(Event.registered, forKey: .event)
            try line.encode(to: encoder)
        case .notification(let line):
            try container.encode(Event.notification, forKey: .event)
            try line.encode(to: encoder)
        case .gap(let line):
            try container.encode(Event.gap, forKey: .event)
            try line.encode(to: encoder)
        case .disconnected(let line):
            try container.encode(Event.disconnected, forKey: .event)
            try line.encode(to: encoder)
        case .error(let message):
            try container.encode(Event.error, forKey: .event)
            try container.encode(message, forKey: .message)
        }
    }

    /// The line as JSON, without a line break.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // JSON refuses only numbers that are not finite, and a line has no floating point.
        guard let data = try? encoder.encode(self) else {
            preconditionFailure("a line holds only what JSON can hold")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
