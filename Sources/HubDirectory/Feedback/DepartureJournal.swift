import HubModel
import HubRules
import HubTags
import HubVocabulary

/// Where the journal of departures ends, and what the present group adds to it.
struct DepartureJournal {
    /// The rows of the present group, ascending.
    private(set) var group: [DepartureRow] = []
    private var last: (number: UInt64, time: Timestamp) = (0, Timestamp(milliseconds: 0))
    private var lastBefore: (number: UInt64, time: Timestamp) = (0, Timestamp(milliseconds: 0))

    /// An empty journal.
    init() {}

    /// Goes on behind the newest row of a store.
    init(_ store: any DepartureReading) throws(StoreError) {
        guard let numbers = try store.departureNumbers(),
            let newest = try store.departures(from: numbers.upperBound, limit: 1).last
        else { return }
        last = (newest.number, newest.time)
        lastBefore = last
    }

    /// The group's changes for the store.
    var storedChanges: [StoredChange] { group.map(StoredChange.putDeparture) }

    /// Adds a row to the group; a clock that went back stands still here.
    mutating func append(
        _ registration: Registration,
        _ cause: DepartureCause,
        installation: [UInt8]?,
        now: Timestamp
    ) {
        last = (last.number + 1, max(last.time, now))
        group.append(
            DepartureRow(
                number: last.number,
                time: last.time,
                cause: cause,
                platform: registration.content.platform,
                handle: registration.content.handle,
                registration: registration.id,
                installation: installation
            )
        )
    }

    /// Makes the group's rows final, or takes them back.
    mutating func settle(areDurable: Bool) {
        if !areDurable { last = lastBefore }
        lastBefore = last
        group.removeAll(keepingCapacity: true)
    }
}

extension HubDirectory {
    /// Removes a registration without a request over REST, and notes that in the same group.
    func depart(_ registration: Registration, _ cause: DepartureCause) {
        note(registration, cause)
        table.remove(registration)
    }

    /// Notes that a registration ended, or its handle.
    func note(_ registration: Registration, _ cause: DepartureCause) {
        let tags = registration.content.tags
        let owner = tags.count > 0 ? InstallationRules.installation(ofTag: tags.tag(at: 0)) : nil
        departures.append(registration, cause, installation: owner, now: planningTime)
    }
}
