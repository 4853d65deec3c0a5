import HubModel
import HubVocabulary

extension HubState {
    /// The device's session has ended, unless a newer one has taken its place.
    func detach(_ device: DeviceID, _ generation: UInt64, now: Timestamp) {
        if devices.close(generation, of: device) { devices.seen(device, now: now) }
    }

    /// From its first registration on a device has a cursor, just below what it can get.
    ///
    /// When its other registrations cannot be read it has none until its next one is written or the
    /// hub starts; what it can get says as much meanwhile.
    func makeCursor(of registration: Registration, now: Timestamp) {
        guard let device = registration.target?.device, devices.cursor(of: device) == nil else {
            return
        }
        do throws(StoreError) {
            let all = try table.registrations(of: device)
            let below = (all.map(\.since.sequence).min() ?? registration.since.sequence) - 1
            devices.advance(device, acknowledged: below, scannedThrough: below, now: now)
        } catch {
            outbox.tell(.readRefused(error))
        }
    }
}
