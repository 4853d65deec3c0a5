/// A question to the journal of departures.
///
/// The work for one question is bounded. The caller goes on from where the answer before ended.
package enum DepartureQuestion: Hashable, Sendable {
    /// The parts of the journal from a number on, `CoreLimits.departurePartsPerAnswer` at most.
    case parts(from: UInt64)
    /// Rows of a part from a number on, `CoreLimits.departuresPerAnswer` at most.
    case rows(ClosedRange<UInt64>)
}
