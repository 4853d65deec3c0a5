package import HubModel

/// A wish of a lane that its host carries out.
package enum LaneAction: Hashable, Sendable {
    /// Read records behind a place in the log's order, with their audiences, into free places.
    ///
    /// The host ends at the first record that has no place.
    case read(after: UInt64, large: Int, small: Int, smallMatches: Int)
    /// Make a request.
    case send(LaneTicket)
    /// Fetch another access token.
    case renewToken
    /// Use the provider token before the last one.
    case keepOlderToken
    /// Remove a registration, durably; the lane waits for `removed`.
    case remove(registration: UInt32, cause: RelayOutcome)
    /// Remove a registration; the lane does not wait.
    case removeSuspect(registration: UInt32)
    /// The lane rests.
    case rests(LaneCause)
    /// The lane sends again.
    case resumes
}
