import HubModel

/// The requests of a lane: at most one in flight for a registration.
struct LaneFlights {
    private var tickets: [UInt32: LaneTicket] = [:]
    /// Registrations whose removal is not durable yet; each still counts as busy.
    private var removing: [UInt32: (ticket: LaneTicket, end: LaneEnd)] = [:]
    /// Registrations that had their turn while they were busy, or whose request is to be repeated.
    private var ready: [UInt32] = []
    private var readyStart = 0

    /// Requests in flight.
    var count: Int { tickets.count }
    /// Whether the lane waits for no answer and no removal.
    var isEmpty: Bool { tickets.isEmpty && removing.isEmpty }

    func isBusy(_ registration: UInt32) -> Bool {
        tickets[registration] != nil || removing[registration] != nil
    }

    /// Whether a registration is busy with a record.
    func isBusy(_ key: DeferredRow.Key) -> Bool {
        tickets[key.registration]?.sequence == key.sequence
            || removing[key.registration]?.ticket.sequence == key.sequence
    }

    /// The registrations that are busy with a record.
    func busy(with sequence: UInt64) -> [UInt32] {
        tickets.values.filter { $0.sequence == sequence }.map(\.registration)
            + removing.values.filter { $0.ticket.sequence == sequence }.map {
                $0.ticket.registration
            }
    }

    /// Whether an answer for a ticket is awaited.
    func awaits(_ ticket: LaneTicket) -> Bool { tickets[ticket.registration] == ticket }

    mutating func take(off ticket: LaneTicket) { tickets[ticket.registration] = ticket }

    /// An answer for a ticket came; false when none was awaited.
    mutating func land(_ ticket: LaneTicket) -> Bool {
        guard let place = tickets.index(forKey: ticket.registration),
            tickets[place].value == ticket
        else { return false }
        tickets.remove(at: place)
        return true
    }

    mutating func awaitRemoval(_ ticket: LaneTicket, _ end: LaneEnd) {
        removing[ticket.registration] = (ticket, end)
    }

    mutating func removed(_ registration: UInt32) -> (ticket: LaneTicket, end: LaneEnd)? {
        removing.removeValue(forKey: registration)
    }

    mutating func queue(_ registration: UInt32) { ready.append(registration) }

    mutating func nextReady() -> UInt32? {
        guard readyStart < ready.count else {
            ready = []
            readyStart = 0
            return nil
        }
        let next = ready[readyStart]
        readyStart += 1
        if readyStart > 1_024, readyStart * 2 > ready.count {
            ready.removeFirst(readyStart)
            readyStart = 0
        }
        return next
    }
}
