import HubModel

extension HubState {
    /// The present values but for the queue's; constant time.
    var gauges: DirectoryGauges {
        var gauges = DirectoryGauges()
        gauges.relays = relayReports
        gauges.registrations = table.count
        gauges.installations = installations.count
        gauges.unknownHandles = table.unknownHandles
        gauges.undeliverable = table.undeliverable
        gauges.devices = devices.cursorCount
        gauges.sessions = devices.sessionCount
        gauges.tags = table.tagCount
        gauges.schedules = schedules.count
        gauges.idempotencyKeys = sends.count
        gauges.lapses = lapses.registrations.count + lapses.installations.count
        gauges.logFirst = log.bounds.first
        gauges.logHead = log.bounds.head
        gauges.logBytes = log.bytes
        let scanned = devices.scannedMean ?? log.bounds.head
        gauges.cursorLagMean = log.bounds.head - min(log.bounds.head, scanned)
        return gauges
    }
}
