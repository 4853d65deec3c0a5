package import HubVocabulary

/// Sends of one hub that wait for a bundle, and how many carriers take bundles of them.
///
/// One send alone does not wait. While a few bundles are under way, however small, sends wait for the
/// next carrier that returns, or until it is worth one more: so the more senders there are, the more
/// sends share a request to the leader.
package struct BundleQueue<Send> {
    private struct Waiting {
        var send: Send
        var bytes: Int
        var since: Instant
    }

    private let limits: FrontLimits.Bundles
    private var waiting: [Waiting] = []
    /// Those that are under way, and one that is about to take its first bundle.
    private var carriers = 0
    private var isBeginning = false

    /// A queue without sends.
    package init(_ limits: FrontLimits.Bundles) { self.limits = limits }

    /// Whether nothing waits and no carrier is under way.
    package var isIdle: Bool { waiting.isEmpty && carriers == 0 }

    /// How many wait.
    package var waitingCount: Int { waiting.count }

    /// Adds a send; true when one more carrier must begin.
    package mutating func add(_ send: Send, bytes: Int, now: Instant) -> Bool {
        waiting.append(Waiting(send: send, bytes: bytes, since: now))
        return begin()
    }

    /// Whether one more carrier must begin, for what a full bundle has left.
    package mutating func begin() -> Bool {
        let isFew = carriers < limits.carriers
        let isWorthOne = waiting.count >= limits.worthOne && carriers < limits.carriersMax
        // One that is about to begin takes all of them.
        guard !waiting.isEmpty, !isBeginning, isFew || isWorthOne else { return false }
        carriers += 1
        isBeginning = true
        return true
    }

    /// Takes the next bundle for a carrier, in order; the carrier ends where it is empty.
    package mutating func take() -> [Send] {
        isBeginning = false
        var bytes = 0
        var count = 0
        // Others return soon, and take what is not worth this one.
        if carriers <= limits.carriers || waiting.count >= limits.worthOne {
            for next in waiting.prefix(limits.sends) {
                bytes += next.bytes
                guard count == 0 || bytes <= limits.bytes else { break }
                count += 1
            }
        }
        if count == 0 { carriers -= 1 }
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.send)
    }

    /// Takes those that have waited for too long since all carriers are under way.
    package mutating func expire(now: Instant) -> [Send] {
        let end = waiting.firstIndex {
            now.milliseconds(since: $0.since) < limits.waitMilliseconds
        }
        let count = end ?? waiting.count
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.send)
    }
}
