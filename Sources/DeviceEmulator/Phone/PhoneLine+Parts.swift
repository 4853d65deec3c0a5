// The parts of a line for its readers; nil where lines of its kind have none.
extension PhoneLine {
    /// A text for people.
    package var text: String? {
        switch self {
        case .connected, .disconnected, .loggedOut, .push: nil
        case .started(let user, _): user
        case .loggedIn(let text), .loginEnded(let text), .sent(let text), .problem(let text): text
        case .registered(let line): line.text
        case .request(let line): line.text
        case .fetch(let line): line.outcome.rawValue
        case .shown, .entry, .removed, .opened: item?.text
        case .gap(let reason, _): reason
        case .done(let fault): fault
        }
    }

    /// The line without what went over the wire; nil where nothing else is in it.
    package var untraced: PhoneLine? {
        switch self {
        case .request: return nil
        case .push(var push):
            push.frame = nil
            return .push(push)
        default: return self
        }
    }

    /// An entry of the inbox.
    package var item: Item? {
        switch self {
        case .shown(let line): line.item
        case .entry(let item), .removed(let item): item
        case .opened(let line): line.item
        default: nil
        }
    }

    /// A confirmed registration.
    package var registered: Registered? {
        if case .registered(let line) = self { line } else { nil }
    }

    /// A request to the backend.
    package var request: Request? {
        if case .request(let line) = self { line } else { nil }
    }

    /// A notification.
    package var push: Push? {
        if case .push(let line) = self { line } else { nil }
    }

    /// The end of a fetch.
    package var fetch: Fetch? {
        if case .fetch(let line) = self { line } else { nil }
    }

    /// An entry that is new.
    package var shown: Shown? {
        if case .shown(let line) = self { line } else { nil }
    }

    /// An entry that was opened.
    package var opened: Opened? {
        if case .opened(let line) = self { line } else { nil }
    }
}
