/// The directory's view of the journal of departures, as of the last commit.
package protocol DepartureReading: AnyObject {
    /// The numbers of the rows that are kept; nil when there are none.
    func departureNumbers() throws(StoreError) -> ClosedRange<UInt64>?

    /// Rows from a number on, ascending, at most `limit`.
    func departures(from number: UInt64, limit: Int) throws(StoreError) -> [DepartureRow]
}
