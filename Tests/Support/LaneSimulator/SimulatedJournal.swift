/// What the service saw of each match, crashes included, and what the operators were promised.
struct SimulatedJournal {
    /// How often the service took each.
    private(set) var taken: [SimulatedMatch: Int] = [:]
    /// Matches that may be asked twice: they were in flight, or not stored yet, at a crash.
    var repeatable: Set<SimulatedMatch> = []
    /// Matches whose answers no checkpoint has yet.
    var unstored: Set<SimulatedMatch> = []
    /// Matches whose handle was called bad.
    var suspected: Set<SimulatedMatch> = []
    /// The last record that an operator's order to give up named, and the last that was answered.
    var givenUp = (ordered: UInt64(0), answered: UInt64(0), ever: UInt64(0))
    private var dead: Set<SimulatedMatch> = []
    private var lastSequence: [UInt32: UInt64] = [:]

    /// The service took a request; what is wrong with that.
    mutating func take(_ match: SimulatedMatch) -> [String] {
        var faults: [String] = []
        let times = (taken[match] ?? 0) + 1
        taken[match] = times
        let isRepeat = repeatable.contains(match)
        if times > 1, !isRepeat {
            faults.append("\(match) was taken \(times) times without a crash between")
        }
        let last = lastSequence[match.registration] ?? 0
        // An order to give up lets later ones pass; a crash may forget it, and bring it back.
        if match.sequence < last, !isRepeat, match.sequence > givenUp.ever {
            faults.append("\(match) came after record \(last)")
        }
        lastSequence[match.registration] = max(last, match.sequence)
        return faults
    }

    /// The service called a handle dead; what is wrong with that.
    mutating func refuseDead(_ match: SimulatedMatch) -> [String] {
        dead.insert(match).inserted || repeatable.contains(match)
            ? [] : ["\(match) was asked again after it was dead"]
    }

    /// The process dies with these requests in flight.
    mutating func crash(_ flights: [SimulatedMatch]) {
        repeatable.formUnion(flights)
        repeatable.formUnion(unstored)
        unstored = []
        givenUp.ordered = 0
    }
}
