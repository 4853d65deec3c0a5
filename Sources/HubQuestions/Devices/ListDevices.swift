package import HubDirectory
package import HubModel
package import HubVocabulary

/// Reads a part of a hub's devices: in the order in which the hub keeps them, or those of the part
/// that are furthest behind.
///
/// Looks at `devicesPerPart` devices, or at `inspectedPerPart` where some are left out: of connected ones
/// at their sessions, with a tag at registrations.
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
        let (found, next) =
            switch order {
            case .kept: kept(hub, limit)
            case .behind: furthest(hub, limit)
            }
        return InspectedPart(found.map { ListedDevice($0, of: hub) }, next: next)
    }

    /// The first devices of the part, and where the next one begins.
    private func kept(_ hub: HubView, _ limit: Int) -> ([StoredCursor], UInt32?) {
        var found: [StoredCursor] = []
        let next = forEach(hub) { cursor in
            found.append(cursor)
            return found.count < limit
        }
        return (found, next)
    }

    /// Those of the part that are furthest behind, and where the next one begins.
    private func furthest(_ hub: HubView, _ limit: Int) -> ([StoredCursor], UInt32?) {
        var furthest = FurthestDevices(limit: limit, head: hub.log.bounds.head, before: before)
        let next: UInt32?
        if filter.meansAll {
            let (from, count) = (Int(from), hub.limits.inspection.devicesPerPart)
            let place = hub.devices.withCursors(from: from, looking: count) { furthest.take($0) }
            next = place.map { UInt32(clamping: $0) }
        } else {
            next = forEach(hub) { cursor in
                furthest.take(cursor)
                return true
            }
        }
        return (furthest.cursors(), next)
    }

    /// Calls `body` with the devices of the part that are meant, until it says no.
    private func forEach(_ hub: HubView, _ body: (StoredCursor) -> Bool) -> UInt32? {
        let limits = hub.limits.inspection
        // Taken once, and not for each device.
        let (devices, filter) = (hub.devices, filter)
        func take(_ cursor: StoredCursor) -> Bool {
            filter.means(cursor.device, of: devices) ? body(cursor) : true
        }
        if let tag = filter.tag { return forEach(tag, hub, devices, take) }
        let (start, few) = (Int(from), limits.inspectedPerPart)
        let next: Int?
        if filter.meansAll {
            next = devices.forEachCursor(from: start, looking: limits.devicesPerPart, body)
        } else if filter.isConnected == true {
            next = devices.forEachConnected(from: start, looking: few, take)
        } else {
            next = devices.forEachCursor(from: start, looking: few, take)
        }
        return next.map { UInt32(clamping: $0) }
    }

    /// Calls `take` with the devices of the part that have a tag, until it says no.
    private func forEach(
        _ tag: [UInt8],
        _ hub: HubView,
        _ devices: DeviceTable,
        _ take: (StoredCursor) -> Bool
    ) -> UInt32? {
        let table = hub.table
        var last = RegistrationNumber(from)
        var isStopped = false
        let count = hub.limits.inspection.inspectedPerPart
        let next = table.forEach(tag: tag, after: last, looking: count) { number in
            last = number
            guard let device = table.facts(of: number)?.target?.device,
                let cursor = devices.cursor(of: device),
                // A device with several such registrations is listed with the first of them.
                table.numbers(of: device).filter({ table.has(tag, $0) }).min() == number
            else { return true }
            isStopped = !take(cursor)
            return !isStopped
        }
        return isStopped ? last.raw : next?.raw
    }
}
