package import HubDirectory
package import HubModel
package import HubVocabulary

/// Reads a device, by its id or its push handle, with its registrations.
package struct GetDevice: HubQuestion {
    /// A device and what leads to it.
    package struct Reply: Sendable {
        /// The device.
        package let device: ListedDevice
        /// Its registrations, ascending by slot.
        package let registrations: [Registration]

        /// Makes one of its parts.
        package init(device: ListedDevice, registrations: [Registration]) {
            self.device = device
            self.registrations = registrations
        }
    }

    /// Which device.
    package let subject: ExplainSubject

    /// Asks about a device.
    package init(_ subject: ExplainSubject) { self.subject = subject }

    package func answer(_ hub: HubView) throws(Refusal) -> Reply {
        guard let device = device(hub), let cursor = hub.devices.cursor(of: device) else {
            throw .deviceNotFound
        }
        let numbers = hub.table.numbers(of: device)
            .prefix(hub.limits.registrations.pageRegistrationsMax)
        let registrations = try hub.reading { () throws(StoreError) in
            try hub.table.registrations(Array(numbers), remembers: false)
        }
        return Reply(device: ListedDevice(cursor, of: hub), registrations: registrations)
    }

    private func device(_ hub: HubView) -> DeviceID? {
        switch subject {
        case .device(let device): device
        case .handle(let handle): hub.device(of: handle)
        case .registration, .installation: nil
        }
    }
}
