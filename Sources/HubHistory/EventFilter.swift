package import HubVocabulary

/// Which events of a hub are asked for.
package struct EventFilter: Sendable {
    /// The names of their kinds; nil for all.
    package var kinds: Set<String>?
    /// When they happened.
    package var span: TimeSpan

    /// Means all events, or those of some kinds and of some time.
    package init(kinds: Set<String>? = nil, span: TimeSpan = TimeSpan()) {
        (self.kinds, self.span) = (kinds, span)
    }

    /// Whether all are meant.
    package var isOpen: Bool { kinds == nil && span.isOpen }

    func admits(_ event: HubEvent) -> Bool {
        span.contains(event.time) && kinds?.contains(event.kind.name) ?? true
    }
}
