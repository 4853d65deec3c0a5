/// Mistakes around the lease that the simulation has to notice.
enum LeaseMistake: String, CaseIterable, Sendable {
    /// The belief counts from the answer.
    case believesFromAnswer
    /// A node asks its clock only when it renews.
    case believesForEver
    /// The database lets a lead be taken whose lease goes on.
    case takesEarly
    /// The database renews the lease of any node that asks.
    case renewsAnyTerm
    /// The fences stay when the lead is taken.
    case takesWithoutFence
    /// A node opens a hub without being asked for its term.
    case opensWithoutTerm
    /// The database stores commits of any fence.
    case commitsWithoutFence
}
