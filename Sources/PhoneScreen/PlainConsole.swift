package import DeviceEmulator

/// The app as lines: what a person types, and what they read.
///
/// For scripts, for terminals that cannot do more and for readers of the screen; without one control
/// sequence.
package struct PlainConsole: Sendable {
    /// The request of a line.
    package enum Request: Equatable, Sendable {
        /// Have the app do something.
        case perform(PhoneCommand)
        /// Ask for a password, and then log this user in.
        case logIn(user: String)
        /// Say something.
        case say([String])
        /// Say why a line asks for nothing.
        case refuse([String])
        /// End.
        case quit
    }

    /// Platforms that a text is sent to.
    private var platforms = ["apple", "gcm", "wns"]

    /// A console whose sends go to the tutorials' three platforms.
    package init() {}

    /// The lines that a user can type.
    package static let help = [
        "login USER           asks for the password, or reads it from the next line",
        "logout               leaves on every phone of the user",
        "subscribe CATEGORY … World Politics Business Technology Science Sports; none for nothing",
        "                     with one of locale:en locale:fr locale:zh in that language",
        "inbox                everything that has arrived",
        "open [NUMBER]        opens an entry, or the newest",
        "send USER TEXT       sends to a user, one request for each platform",
        "platforms WORD …     which those are: apple gcm wns fcm mpns adm xiaomi",
        "secure USER TEXT     sends a secure message",
        "picture              sends yourself a picture",
        "news TEXT            sends to all six categories; needs a send key",
        "register             registers again",
        "newhandle            plays a changed handle",
        "quit                 ends, as does the end of the input",
    ]

    /// Returns the request of a line.
    package mutating func receive(_ line: String) -> Request {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let verb = words.first else { return .say([]) }
        let rest = Array(words.dropFirst())
        switch (verb.lowercased(), rest.count) {
        case ("help", _): return .say(Self.help)
        case ("quit", 0), ("exit", 0): return .quit
        case ("login", 1): return .logIn(user: rest[0])
        case ("logout", 0): return .perform(PhoneCommand(.logOut))
        case ("subscribe", 1...): return subscribe(rest)
        case ("inbox", 0): return .perform(PhoneCommand(.inbox))
        case ("open", 0): return .perform(PhoneCommand(.open))
        case ("open", 1):
            guard let number = Int(rest[0]) else { break }
            var command = PhoneCommand(.open)
            command.number = number
            return .perform(command)
        case ("send", 2...):
            let text = Self.text(line, behind: 2)
            return .perform(
                PhoneCommand(.send, user: rest[0], text: text, platforms: platforms)
            )
        case ("secure", 2...):
            let text = Self.text(line, behind: 2)
            return .perform(PhoneCommand(.sendSecure, user: rest[0], text: text))
        case ("news", 1...):
            return .perform(PhoneCommand(.sendNews, text: Self.text(line, behind: 1)))
        case ("platforms", 1...):
            platforms = rest.map { $0.lowercased() }
            return .say(["platforms: \(platforms.joined(separator: " "))"])
        case ("picture", 0): return .perform(PhoneCommand(.sendRich))
        case ("register", 0): return .perform(PhoneCommand(.register))
        case ("newhandle", 0): return .perform(PhoneCommand(.newHandle))
        default: break
        }
        return .refuse(["\(SafeText.line(verb)): not like this; type help"])
    }

    private func subscribe(_ words: [String]) -> Request {
        let isNothing = words.map { $0.lowercased() } == ["none"]
        var command = PhoneCommand(.subscribe)
        let locales = words.filter { $0.lowercased().hasPrefix("locale:") }
        if let wanted = locales.first {
            let word = wanted.dropFirst("locale:".count).lowercased()
            guard locales.count == 1, NewsChoice.locales.contains(where: { $0.word == word })
            else { return .refuse(["one of locale:en locale:fr locale:zh"]) }
            command.locale = word
        }
        var chosen: [String] = []
        for word in words where !locales.contains(word) && !isNothing {
            let category = NewsChoice.categories.first { $0.lowercased() == word.lowercased() }
            guard let category else {
                return .refuse([
                    "\(SafeText.line(word)): no category; "
                        + NewsChoice.categories.joined(separator: " ")
                ])
            }
            chosen.append(category)
        }
        command.tags = NewsChoice.categories.filter { chosen.contains($0) }
        return .perform(command)
    }

    /// Returns the text behind so many words, as it was typed.
    private static func text(_ line: String, behind count: Int) -> String {
        var rest = line[...]
        for _ in 0..<count {
            rest = rest.drop(while: \.isWhitespace).drop { !$0.isWhitespace }
        }
        return String(rest.drop(while: \.isWhitespace))
    }

    /// Returns the line for a user about something that the app tells; nil when users need not read
    /// it.
    package static func line(_ line: PhoneLine) -> String? {
        let text = SafeText.line(line.text ?? "")
        switch line {
        case .started(let user, let categories):
            let names = categories.isEmpty ? "none" : categories.joined(separator: ", ")
            let name = user ?? "nobody"
            return SafeText.line("belfry app: \(name) is logged in; categories: \(names)")
        case .connected: return "connected"
        case .disconnected(let milliseconds):
            let next = milliseconds.map { ", next try in \(DeviceLine.seconds($0))" }
            return "not connected" + (next ?? "")
        case .loggedIn: return "logged in as \(text)"
        case .loggedOut: return "logged out"
        case .loginEnded: return "the login of \(text) has ended: log in again"
        case .registered(let line):
            let tags = SafeText.line(line.tags.joined(separator: ", "))
            return tags.isEmpty ? text : "\(text) (\(tags))"
        case .shown(let line):
            return "\(number(line.item))\(text)"
                + (line.buttons ?? []).map { " [\($0)]" }.joined()
        case .entry(let item): return "\(number(item))\(item.isOpened ? " " : "*") \(text)"
        case .removed(let item): return "\(number(item))is gone"
        case .opened(let line): return opened(line, text)
        case .sent: return text.isEmpty ? "sent" : text
        case .gap(_, let lost):
            return "\(lost.map { "\($0) " } ?? "")notifications may be lost: \(text)"
        case .problem: return "problem: \(text)"
        case .done(let fault): return fault == nil ? nil : "failed: \(text)"
        case .fetch(let line):
            return line.outcome == .newData ? nil : "background fetch: \(text)"
        case .request, .push: return nil
        }
    }

    private static func number(_ item: PhoneLine.Item) -> String { "[\(item.number)] " }

    private static func opened(_ line: PhoneLine.Opened, _ text: String) -> String {
        var parts = ["opened \(number(line.item))\(text)"]
        if let content = line.content {
            if let shown = content.content { parts.append(SafeText.line(shown)) }
            parts.append("\(SafeText.line(content.mediaType)), \(content.bytes) bytes")
            parts.append("saved as \(SafeText.line(content.path))")
        }
        return parts.joined(separator: "; ")
    }
}
