package import HubModel
import HubRules
import HubTables
package import HubVocabulary

/// Makes the key of a device, and its handle, worthless.
///
/// Its session ends with DEVICE_REVOKED once this is durable, and its next HELLO with the old key
/// is refused so. Registrations keep leading to it until they are written again; that their handle
/// ended is noted.
package struct RevokeDevice: HubChange {
    /// The device, and the generation of the key that it would have to prove.
    package struct Reply: Hashable, Sendable {
        /// The device.
        package let device: DeviceID
        /// The present generation.
        package let generation: UInt32
    }

    /// Which device or registration.
    package let subject: ExplainSubject

    /// Revokes the key of the device that a subject names.
    package init(_ subject: ExplainSubject) { self.subject = subject }

    package func plan(_ hub: HubState, now: Now) -> PlannedAnswer<Reply> {
        PlannedAnswer { () throws(Refusal) in try revoke(hub) }
    }

    private func revoke(_ hub: HubState) throws(Refusal) -> Reply {
        guard let device = try device(hub), isKnown(device, hub) else { throw .deviceNotFound }
        let last = hub.devices.keys.raised(of: device)
        let (next, overflow) = (last ?? hub.devices.keys[device]).addingReportingOverflow(1)
        guard !overflow else { throw .tooMany(what: "revocations of this device", limit: .max) }
        let all = try hub.outbox.reading { () throws(StoreError) in
            try hub.table.registrations(of: device)
        }
        if last == nil {
            // What has an older handle was noted when that ended.
            let handle = hub.handle(of: device)
            for registration in all where ASCII.equal(registration.content.handle, handle) {
                hub.note(registration, .revoked)
            }
        }
        hub.devices.keys.raise(device, to: next)
        return Reply(device: device, generation: next)
    }

    private func device(_ hub: HubState) throws(Refusal) -> DeviceID? {
        switch subject {
        case .device(let device): device
        case .handle(let handle): hub.device(of: handle)
        case .registration(let id):
            try hub.outbox.reading { () throws(StoreError) in try hub.table[id] }?.target?.device
        case .installation(let id):
            hub.table.numbers(tag: InstallationRules.tag(installation: id)).lazy
                .compactMap { hub.table.facts(of: $0)?.target?.device }.first
        }
    }

    private func isKnown(_ device: DeviceID, _ hub: HubState) -> Bool {
        hub.devices.cursor(of: device) != nil || hub.devices.isConnected(device)
            || !hub.table.places(of: device).places.isEmpty
    }
}
