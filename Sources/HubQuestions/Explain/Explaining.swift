import HubDirectory
import HubModel
import HubVocabulary

/// Gathers what a hub knows of a device, by which `Explainer` decides.
struct Explaining {
    let hub: HubView

    /// Returns what explains a record to a device.
    func explainer(
        _ record: NotificationRecord,
        _ device: DeviceID?
    ) throws(StoreError) -> Explainer {
        let counts = try hub.counts(of: record.sequence)
        let successors = ReplacingRecords(
            of: record,
            through: hub.log.bounds.head,
            hub.log.reader,
            hub.limits
        )
        return try explainer(record, device, counts, successors)
    }

    /// Returns what explains a record to a device, for callers that explain it to many.
    func explainer(
        _ record: NotificationRecord,
        _ device: DeviceID?,
        _ counts: CounterTable,
        _ successors: ReplacingRecords
    ) throws(StoreError) -> Explainer {
        var progress = Explainer.Progress()
        if let device {
            let cursor = hub.devices.cursor(of: device)
            progress.acknowledged = cursor?.acknowledged ?? 0
            progress.evaluatedThrough = cursor?.evaluatedThrough ?? 0
            progress.lastSeen = cursor?.lastSeen
            let all = try hub.table.registrations(of: device)
            progress.historyCut = all.compactMap(\.historyCut?.sequence).max() ?? 0
            progress.isConnected = hub.devices.isConnected(device)
        }
        return Explainer(
            record: record,
            counts: counts,
            progress: progress,
            now: hub.now.time,
            payloadBytesMax: hub.limits.sends.payloadBytesMax,
            purgedThrough: hub.settings.purgedThrough,
            logFirst: hub.log.bounds.first,
            newer: { registration in self.newer(registration, device, successors) },
            relay: { registration in self.relay(record, registration, counts) }
        )
    }

    /// Returns where a notification is on its way to the service of a registration's handle.
    private func relay(
        _ record: NotificationRecord,
        _ registration: Registration,
        _ counts: CounterTable
    ) -> ExplainReason {
        let platform = registration.content.platform
        let number = registration.number.raw
        guard let place = hub.relay(record, to: platform) else { return .unknownHandle }
        let key = DeferredRow.Key(sequence: record.sequence, registration: number)
        if let row = hub.lanes.row(key, of: platform) { return .relayDeferred(until: row.due) }
        guard hub.lanes.mark(of: platform)?.hasPassed(record.sequence, number) == true else {
            return .relayWaiting(place.cause)
        }
        do throws(StoreError) {
            let failures = try hub.relayFailures(of: record.sequence, platform: platform)
            if let failure = failures.first(where: { $0.registration == number }) {
                return .relayRefused(failure.outcome, failure.reason, failure.time)
            }
            // The lane gives up the rest of a record whose content is refused again and again; the
            // rest is counted and has no failures of its own.
            let refused = TelemetryKind.relayRefusals.reduce(0) { $0 + counts[platform, $1] }
            if refused > failures.count {
                let last = failures.max { $0.time < $1.time }
                guard let last, counts[platform, .relayAccepted] == 0 else {
                    return .relayedOrDropped
                }
                return .relayRefused(last.outcome, last.reason, last.time)
            }
        } catch { hub.readRefused(error) }
        let ended: [TelemetryKind] = [.relayExpired, .relayMissed, .relayCollapsed, .relayPurged]
        return ended.contains { counts[platform, $0] > 0 } ? .relayedOrDropped : .relayed
    }

    /// The next notification with the collapse key that reached the same registration, or the same
    /// device by its handle; nil when there is none, or it would take too long to find.
    private func newer(
        _ registration: Registration?,
        _ device: DeviceID?,
        _ successors: ReplacingRecords
    ) -> NotificationName? {
        guard let device else { return nil }
        var anchors: Set<AnchorKey> = [.everyone, AnchorKey(device: device)]
        registration?.addAnchors(after: successors.record.sequence, to: &anchors)
        do throws(StoreError) {
            let next = try successors.first(in: anchors) { header in
                if let registration { return header.matches(registration) }
                guard case .handles(let handles) = header.target,
                    case .native(let platform) = header.format
                else { return false }
                return handles.contains { hub.device(of: $0, platform: platform) == device }
            }
            return next.map { NotificationName(id: $0.id, sequence: $0.sequence) }
        } catch {
            hub.readRefused(error)
            return nil
        }
    }

    /// Returns a registration of the store with its template.
    func compiled(_ stored: Registration) -> Registration {
        var registration = stored
        registration.template = hub.template(of: stored.content)
        return registration
    }
}
