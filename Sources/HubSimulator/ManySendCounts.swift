/// How often requests with many sends came to which end.
package struct ManySendCounts: Equatable, Sendable {
    /// Requests.
    package internal(set) var requests = 0
    /// Lines of them.
    package internal(set) var lines = 0
    /// Lines of a notification that was sent before, by the request or by an earlier one.
    package internal(set) var repeated = 0
    /// Requests that were answered, some lines accepted and some refused.
    package internal(set) var answeredInPart = 0
    /// Requests in which the store refused a group behind one that it had taken.
    package internal(set) var refusedBehindTaken = 0
    /// Requests that a crash cut with nothing of them durable.
    package internal(set) var cutBefore = 0
    /// Requests that a crash cut between two of their groups.
    package internal(set) var cutWithin = 0
    /// Requests that a crash cut with all durable that could be, before their answers.
    package internal(set) var cutAfter = 0

    /// None.
    package init() {}

    /// Each with the words of reports, in order.
    package var named: [(name: String, count: Int)] {
        [
            ("manySends", requests), ("manySendsLines", lines),
            ("manySendsLinesRepeated", repeated), ("manySendsAnsweredInPart", answeredInPart),
            ("manySendsRefusedBehindTaken", refusedBehindTaken),
            ("manySendsCutBefore", cutBefore), ("manySendsCutWithin", cutWithin),
            ("manySendsCutAfter", cutAfter),
        ]
    }

    /// Adds others.
    mutating func add(_ other: ManySendCounts) {
        requests += other.requests
        lines += other.lines
        repeated += other.repeated
        answeredInPart += other.answeredInPart
        refusedBehindTaken += other.refusedBehindTaken
        cutBefore += other.cutBefore
        cutWithin += other.cutWithin
        cutAfter += other.cutAfter
    }
}
