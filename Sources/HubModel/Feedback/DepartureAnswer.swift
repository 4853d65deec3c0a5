/// An answer from the journal of departures.
package enum DepartureAnswer: Hashable, Sendable {
    /// Parts, ascending; `next` is where the following ones begin, nil behind the last.
    case parts([DeparturePart], next: UInt64?)
    /// Rows, ascending; none when they are not kept any more.
    case rows([DepartureRow])
}
