import HubModel
import HubRules
import HubVocabulary

// Revoking: a device's key and handle are derived from its generation; raising it makes both worthless.

extension HubDirectory {
    /// Raises the key generation of a device that the hub knows.
    ///
    /// Its session ends with DEVICE_REVOKED once this is durable, and its next HELLO with the old key
    /// is refused so. Registrations keep leading to it until they are written again; that their handle
    /// ended is noted.
    func revoke(_ subject: ExplainSubject) throws(Refusal) -> HubReply {
        guard let device = try device(named: subject), isKnown(device) else {
            throw .deviceNotFound
        }
        let last = keyGenerations.raised(of: device)
        let (next, overflow) = (last ?? keyGenerations[device])
            .addingReportingOverflow(1)
        guard !overflow else { throw .tooMany(what: "revocations of this device", limit: .max) }
        let all = try reading { () throws(StoreError) in try table.registrations(of: device) }
        if last == nil {
            // What has an older handle was noted when that ended.
            let handle = handle(of: device)
            for registration in all where ASCII.equal(registration.content.handle, handle) {
                note(registration, .revoked)
            }
        }
        keyGenerations.raise(device, to: next)
        return .revoked(device, generation: next)
    }

    private func device(named subject: ExplainSubject) throws(Refusal) -> DeviceID? {
        switch subject {
        case .device(let device): device
        case .handle(let handle):
            Platform.allCases.lazy.compactMap { platform in
                self.device(of: handle, platform: platform)
            }.first
        case .registration(let id):
            try reading { () throws(StoreError) in try table[id] }?.target?.device
        case .installation(let id):
            table.numbers(tag: InstallationRules.tag(installation: id)).lazy
                .compactMap { self.table.facts(of: $0)?.target?.device }.first
        }
    }

    private func isKnown(_ device: DeviceID) -> Bool {
        devices.cursor(of: device) != nil || devices.session(of: device) != nil
            || !table.places(of: device).places.isEmpty
    }
}
