// Devices that do not come back. Source: rules C.2; Protocol A-2.

extension HubDirectory {
    /// Seconds after which a removal that the store refused is tried again.
    private static let idleRetrySeconds: UInt64 = 60

    /// Queues the removal of devices that were not seen for `deviceIdleDays`; looks at a few devices
    /// per call, and at none soon after the start.
    func lookForIdleDevices(now: Now) {
        let grace = limits.deviceIdleGraceHours * 3_600_000
        guard now.instant.milliseconds(since: started) >= grace else { return }
        for _ in 0..<limits.idleDevicesPerStep {
            guard let device = devices.popDue(now: now.time) else { return }
            if devices.isIdle(device, now: now.time) {
                queue.append(.forget(device))
            } else {
                devices.watch(device, now: now.time, notBefore: now.time)
            }
        }
    }

    /// Removes every registration that leads to a device, unless it came back meanwhile.
    func planForgetting(_ device: DeviceID, now: Now) {
        guard devices.isIdle(device, now: now.time) else {
            return devices.watch(device, now: now.time, notBefore: now.time)
        }
        for registration in table.registrations(of: device) {
            // An installation goes with its own channel; a tile's is only a part of it.
            guard registration.content.secondaryTileName.isEmpty,
                let installation = installation(of: registration)
            else { continue }
            remove(installation)
        }
        for registration in table.registrations(of: device) { table.remove(registration) }
        answers.append(.forgotten(device))
    }

    /// The registrations are gone, and the cursor follows; or the store refused that.
    func forget(_ device: DeviceID, isDurable: Bool, now: Now) {
        guard isDurable else {
            let later = now.time.adding(seconds: Self.idleRetrySeconds)
            return devices.watch(device, now: now.time, notBefore: later)
        }
        devices.forget(device)
        actions.append(.event(.deviceForgotten))
    }
}
