package import HubDirectory
package import HubModel
package import HubQuestions
import HubAtom
import HubTags
package import HubVocabulary

/// Asks one hub on behalf of rows and pages; lists are gathered from the parts that a hub answers.
package struct HubAsking: Sendable {
    /// Whom to ask.
    package let service: any HubService
    /// The hub that is asked.
    package let hub: HubName

    /// Asks a hub of a server.
    package init(service: any HubService, hub: HubName) {
        self.service = service
        self.hub = hub
    }

    /// Hands a request to the hub and waits for the durable reply.
    package func submit<Request: HubRequest>(
        _ request: Request
    ) async throws(RequestFailure) -> Request.Reply {
        try await CommandBridge.submit(request, to: hub, of: service)
    }

    /// Notifications below a place, the newest first; fewer when a filter passes over too many.
    package func notifications(
        _ filter: NotificationFilter = NotificationFilter(),
        before: UInt64?,
        limit: Int
    ) async throws(RequestFailure) -> ListPage<ListNotifications.Entry, UInt64> {
        var found = ListPage<ListNotifications.Entry, UInt64>([], next: before)
        var parts = 0
        repeat {
            let wanted = limit - found.entries.count
            let part = try await submit(
                ListNotifications(filter, before: found.next, limit: wanted)
            )
            found = ListPage(found.entries + part.entries, next: part.next)
            parts += 1
            // Without a filter each part has entries, or passes a hole.
        } while found.next != nil && found.entries.count < limit
            && (filter.isEmpty || parts < InspectionLimits.listedPartsMax)
        return found
    }

    /// Devices from a place on in the order in which the hub keeps them, or the furthest behind of
    /// all; fewer in that order when a filter passes over too many.
    package func devices(
        _ filter: DeviceFilter,
        order: ListDevices.Order,
        from: UInt32,
        limit: Int
    ) async throws(RequestFailure) -> ListPage<ListedDevice, UInt32> {
        var found: [ListedDevice] = []
        var next: UInt32? = from
        var end: ContinuousClock.Instant?
        while let from = next, order == .behind || found.count < limit {
            let wanted = order == .kept ? limit - found.count : limit
            // Devices behind the last of a whole page need not be told.
            let last = found.count == limit ? found.last.map(DeviceRank.init) : nil
            let part = try await submit(
                ListDevices(filter, order: order, from: from, limit: wanted, before: last)
            )
            // The first part's wait for the hub's writer does not count.
            let now = ContinuousClock.now
            let due = end ?? now + InspectionLimits.devicesPageTime
            end = due
            found += part.found
            next = part.next
            if order == .behind { found = Self.furthest(found, limit) }
            if order == .kept, now >= due { break }
        }
        return ListPage(found, next: next)
    }

    /// Registrations that did not get a notification, and where more of them begin.
    ///
    /// Parts are taken whole, so they may be some more than `limit`. It ends where as many were
    /// looked at as one answer may.
    package func failures(
        of name: NotificationName,
        from: UInt32,
        limit: Int,
        examined most: Int
    ) async throws(RequestFailure) -> (
        notification: NotificationName, failures: ListPage<DeliveryFailure, UInt32>
    ) {
        var found: [DeliveryFailure] = []
        var (notification, examined) = (name, 0)
        var next: UInt32? = from
        while let start = next, found.count < limit, examined < most {
            let part = try await submit(FindFailures(name, from: start))
            found += part.found
            // Also a part without any takes a moment.
            examined += max(1, part.examined)
            (notification, next) = (part.notification, part.next)
        }
        return (notification, ListPage(found, next: next))
    }

    /// Tags behind a place in alphabetical order; the next place is the last tag's folded bytes.
    package func tags(
        prefix: [UInt8],
        after: [UInt8],
        limit: Int
    ) async throws(RequestFailure) -> ListPage<TagCount, [UInt8]> {
        var found: [TagCount] = []
        var start: UInt32? = 0
        while let from = start {
            // One more than asked for says whether another page follows.
            // Tags behind the last of a whole page need not be told.
            let last = found.count > limit ? found.last?.folded : nil
            let part = try await submit(
                InspectTags(
                    prefix: prefix,
                    after: after,
                    before: last,
                    limit: limit + 1,
                    from: from
                )
            )
            found = Self.merged(found, part.found, limit: limit + 1)
            start = part.next
        }
        let page = Array(found.prefix(limit))
        return ListPage(page, next: found.count > limit ? page.last?.folded : nil)
    }

    /// The registrations that a target means now, with a sample of them.
    package func audience(
        _ target: NotificationTarget,
        format: NotificationFormat?,
        sample: Int
    ) async throws(RequestFailure) -> InspectedAudience {
        var whole = InspectedAudience()
        var start: UInt32? = 0
        while let from = start {
            let left = sample - whole.sample.count
            let part = try await submit(
                InspectAudience(target, format: format, sample: left, from: from)
            )
            whole.add(part.found, sampleMax: sample)
            start = part.next
        }
        return whole
    }

    /// Whom a tag expression means; a blank one means everybody.
    ///
    /// - Throws: `.invalid` for field `tags`.
    package static func target(
        ofTags text: [UInt8],
        _ limits: CoreLimits
    ) throws(RequestFailure) -> NotificationTarget {
        let text = TextTrimming.trimmed(text)
        guard !text.isEmpty else { return .broadcast }
        do throws(TagError) {
            return .tags(try TagExpression(parsing: text, limits: limits.tags))
        } catch {
            throw .refused(.invalid(field: "tags", reason: error.reason))
        }
    }

    private static func merged(_ left: [TagCount], _ right: [TagCount], limit: Int) -> [TagCount] {
        let all = (left + right).map { ($0.folded, $0) }
        return all.sorted { $0.0.lexicographicallyPrecedes($1.0) }.prefix(limit).map(\.1)
    }

    private static func furthest(_ found: [ListedDevice], _ limit: Int) -> [ListedDevice] {
        Array(found.sorted { DeviceRank($0) < DeviceRank($1) }.prefix(limit))
    }
}
