import HubVocabulary
import NIOCore

/// The connections of devices at a front; decides which of them give way, and closes none.
///
/// A connection that has not come to a leader yet holds a place for nothing: the oldest of them gives
/// way to a new one when there are no more, and an address has only a few.
struct SpliceTable {
    /// The fate of a new connection.
    enum Entrance {
        /// It is in the table, and another one gives way to it, if any.
        case entered(yielding: (any Channel)?)
        case refused
    }

    private struct Entry {
        let channel: any Channel
        /// Ascending.
        let number: UInt64
        /// The network that it counts for until it comes to a leader.
        var network: DeviceID?
        var leader: LeaderWatch.Leader?
    }

    private let limits: FrontLimits
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var opening: [DeviceID: Int] = [:]
    private var counter: UInt64 = 0

    init(_ limits: FrontLimits) { self.limits = limits }

    var count: Int { entries.count }

    var channels: [any Channel] { entries.values.map(\.channel) }

    /// Enters a connection of a network, nil for one that is not known yet or not counted.
    mutating func enter(_ channel: any Channel, of network: DeviceID?) -> Entrance {
        guard hasPlace(network) else { return .refused }
        var yielding: (any Channel)?
        if entries.count >= limits.devices.connections {
            // Linear, and only where there are no more places.
            let waiting = entries.values.filter { $0.leader == nil }
            guard let oldest = waiting.min(by: { $0.number < $1.number }) else {
                return .refused
            }
            leave(oldest.channel)
            yielding = oldest.channel
        }
        counter += 1
        entries[ObjectIdentifier(channel)] = Entry(
            channel: channel,
            number: counter,
            network: network
        )
        if let network { opening[network, default: 0] += 1 }
        return .entered(yielding: yielding)
    }

    /// Counts a connection for a network that a balancer told; false when that has no place.
    mutating func learn(_ network: DeviceID?, of channel: any Channel) -> Bool {
        guard entries[ObjectIdentifier(channel)] != nil, hasPlace(network) else { return false }
        entries[ObjectIdentifier(channel)]?.network = network
        if let network { opening[network, default: 0] += 1 }
        return true
    }

    /// A connection goes on at a leader; false when it has left meanwhile.
    mutating func join(_ channel: any Channel, _ leader: LeaderWatch.Leader) -> Bool {
        guard let entry = entries[ObjectIdentifier(channel)] else { return false }
        uncount(entry.network)
        entries[ObjectIdentifier(channel)]?.network = nil
        entries[ObjectIdentifier(channel)]?.leader = leader
        return true
    }

    /// A connection has ended; one that gave way has left already.
    mutating func leave(_ channel: any Channel) {
        guard let entry = entries.removeValue(forKey: ObjectIdentifier(channel)) else { return }
        uncount(entry.network)
    }

    /// The connections at other leaders than this one.
    func elsewhere(than leader: LeaderWatch.Leader) -> [any Channel] {
        entries.values.filter { $0.leader != nil && $0.leader != leader }.map(\.channel)
    }

    private func hasPlace(_ network: DeviceID?) -> Bool {
        network.map { opening[$0, default: 0] < limits.devices.openingPerAddress } ?? true
    }

    private mutating func uncount(_ network: DeviceID?) {
        guard let network, let count = opening[network] else { return }
        opening[network] = count > 1 ? count - 1 : nil
    }
}
