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
    /// Of those that are furthest behind only ones that come before; nil for all.
    package let before: DeviceRank?

    /// Asks for one part.
    package init(
        _ filter: DeviceFilter,
        order: Order,
        from: UInt32,
        limit: Int,
        before: DeviceRank? = nil
    ) {
        self.filter = filter
        self.order = order
        self.from = from
        self.limit = limit
        self.before = before
    }

    package func answer(_ hub: HubView) throws(Refusal) -> InspectedPart<[ListedDevice]> {
        let limit = max(1, min(limit, hub.limits.registrations.pageRegistrationsMax))
        var found: [StoredCursor] = []
        var furthest = FurthestDevices(limit: limit, head: hub.log.bounds.head, before: before)
        let next = forEach(hub) { cursor in
            switch order {
            case .kept:
                found.append(cursor)
                return found.count < limit
            case .behind:
                furthest.take(cursor)
                return true
            }
        }
        if order == .behind { found = furthest.cursors() }
        return InspectedPart(found.map { ListedDevice($0, of: hub) }, next: next)
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
