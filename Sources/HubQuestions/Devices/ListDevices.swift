package import HubDirectory
package import HubModel
package import HubVocabulary

/// Reads a part of a hub's devices: in the order in which the hub keeps them, or those of the part
/// that are furthest behind.
///
/// Looks at `inspectedPerPart` devices, or registrations with the tag.
package struct ListDevices: HubQuestion {
    /// Which of a part's devices come first.
    package enum Order: Sendable {
        /// Those that the hub keeps first.
        case kept
        /// Those that are furthest behind.
        case behind
    }

    /// Which devices.
    package let filter: DeviceFilter
    /// Which come first.
    package let order: Order
    /// Where the part begins: a place, or a number of a registration when there is a tag.
    package let from: UInt32
    /// How many at most.
    package let limit: Int

    /// Asks for one part.
    package init(_ filter: DeviceFilter, order: Order, from: UInt32, limit: Int) {
        self.filter = filter
        self.order = order
        self.from = from
        self.limit = limit
    }

    package func answer(_ hub: HubView) throws(Refusal) -> InspectedPart<[ListedDevice]> {
        let limit = max(1, min(limit, hub.limits.registrations.pageRegistrationsMax))
        var found: [(cursor: StoredCursor, behind: UInt64)] = []
        let next = forEach(hub) { cursor in
            found.append((cursor, ListedDevice.behind(cursor, hub)))
            switch order {
            case .kept: return found.count < limit
            case .behind:
                // Now and then, so that the part's list stays short.
                if found.count > 2 * limit { Self.cut(&found, to: limit) }
                return true
            }
        }
        if order == .behind { Self.cut(&found, to: limit) }
        return InspectedPart(found.map { ListedDevice($0.cursor, of: hub) }, next: next)
    }

    private static func cut(_ found: inout [(cursor: StoredCursor, behind: UInt64)], to limit: Int)
    {
        found.sort { ($1.behind, $0.cursor.device) < ($0.behind, $1.cursor.device) }
        found.removeLast(max(0, found.count - limit))
    }

    /// Calls `body` with the devices of the part that are meant, until it says no.
    private func forEach(_ hub: HubView, _ body: (StoredCursor) -> Bool) -> UInt32? {
        let count = hub.limits.inspection.inspectedPerPart
        func take(_ cursor: StoredCursor) -> Bool {
            isMeant(cursor.device, hub) ? body(cursor) : true
        }
        guard let tag = filter.tag else {
            return hub.devices.forEachCursor(from: Int(from), looking: count, take).map {
                UInt32(clamping: $0)
            }
        }
        var last = RegistrationNumber(from)
        var isStopped = false
        let next = hub.table.forEach(tag: tag, after: last, looking: count) { number in
            last = number
            guard let device = hub.table.facts(of: number)?.target?.device,
                let cursor = hub.devices.cursor(of: device),
                // A device with several such registrations is listed with the first of them.
                hub.table.numbers(of: device).filter({ hub.table.has(tag, $0) }).min() == number
            else { return true }
            isStopped = !take(cursor)
            return !isStopped
        }
        return isStopped ? last.raw : next?.raw
    }

    private func isMeant(_ device: DeviceID, _ hub: HubView) -> Bool {
        guard filter.hasPrefix(device) else { return false }
        return filter.isConnected.map { $0 == hub.devices.isConnected(device) } ?? true
    }
}
