package import HubModel

extension HubDirectory {
    /// The present values; constant time.
    package var gauges: DirectoryGauges {
        var gauges = DirectoryGauges()
        gauges.registrations = table.count
        gauges.installations = installations.count
        gauges.unknownHandles = table.unknownHandles
        gauges.undeliverable = table.undeliverable
        gauges.devices = devices.cursorCount
        gauges.sessions = devices.sessionCount
        gauges.tags = table.tagCount
        gauges.schedules = schedules.count
        gauges.idempotencyKeys = sends.count
        gauges.lapses = expiry.count + installationExpiry.count
        gauges.waiting = queue.count
        gauges.logFirst = bounds.first
        gauges.logHead = bounds.head
        gauges.logBytes = logBytes
        let scanned = devices.scannedMean ?? bounds.head
        gauges.cursorLagMean = bounds.head - min(bounds.head, scanned)
        return gauges
    }
}
