import HubModel
import HubVocabulary

// Devices that do not come back. Source: rules C.2; Protocol A-2.

extension HubDirectory {
    /// Seconds after which all devices are looked at again, where looking at them is not longer:
    /// what the store refused is tried again then.
    private static let idleRoundSeconds: UInt64 = 60

    /// Queues the removal of devices that were not seen for `deviceIdleDays`; looks at a few devices
    /// per call, and at none soon after the start.
    func lookForIdleDevices(now: Now) {
        let grace = limits.deviceIdleGraceHours * 3_600_000
        guard now.instant.milliseconds(since: started) >= grace else { return }
        let idle = devices.nextIdle(
            looking: limits.idleDevicesPerStep,
            pauseSeconds: Self.idleRoundSeconds,
            now: now
        )
        for device in idle { queue.append(.forget(device)) }
    }

    /// Removes every registration that leads to a device, unless it came back meanwhile.
    func planForgetting(_ device: DeviceID, now: Now) {
        guard devices.isIdle(device, now: now.time) else { return }
        do throws(StoreError) {
            let all = try table.registrations(of: device)
            for registration in all {
                // An installation goes with its own channel; a tile's is only a part of it.
                guard registration.content.secondaryTileName.isEmpty,
                    let installation = installation(of: registration)
                else { continue }
                try remove(installation, .idle)
            }
            for registration in table.registrations(of: device, knowing: all) {
                depart(registration, .idle)
            }
            answers.append(.forgotten(device))
        } catch {
            actions.append(.event(.readRefused(error)))
        }
    }

    /// The registrations are gone, and the cursor follows; or the store refused that.
    func forget(_ device: DeviceID, isDurable: Bool) {
        guard isDurable else { return }
        devices.forget(device)
        actions.append(.event(.deviceForgotten))
    }
}
