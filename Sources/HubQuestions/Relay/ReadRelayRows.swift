package import HubDirectory
package import HubModel
package import HubVocabulary

/// Registrations by number, for requests to a push service; those that are gone are left out.
package struct ReadRelayRows: HubQuestion {
    /// Their numbers.
    package let numbers: [RegistrationNumber]

    /// Asks for registrations.
    package init(_ numbers: [RegistrationNumber]) { self.numbers = numbers }

    /// In the order of the numbers.
    package func answer(_ hub: HubView) throws(Refusal) -> [RelayRow] {
        try hub.reading { () throws(StoreError) in
            try hub.table.registrations(numbers, remembers: false).map { registration in
                let device = PushHandle.claimedDevice(
                    in: registration.content.handle,
                    platform: registration.content.platform
                )
                return RelayRow(
                    registration,
                    generation: device.map { hub.keyGeneration(of: $0) } ?? 0
                )
            }
        }
    }
}
