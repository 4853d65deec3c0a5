import HubModel
import HubVocabulary

/// The registrations of tickets, which come in the order of their tickets; those that are gone are
/// left out.
struct RelayRowReader {
    private let rows: [RelayRow]
    private var next = 0

    init(_ rows: [RelayRow]) { self.rows = rows }

    /// The registration of the next ticket; nil when it is gone.
    mutating func row(of ticket: LaneTicket) -> RelayRow? {
        guard next < rows.count, rows[next].number.raw == ticket.registration else {
            return nil
        }
        next += 1
        return rows[next - 1]
    }
}
