package import HubVocabulary

/// The registrations that lead to one device, by slot.
///
/// 0…15 are the device's own; 0x0100…0xFFFE are given by the hub, upwards, and used again only when
/// the range is exhausted. Source: rules B.12, C.1.
package struct DevicePlaces {
    /// One taken slot.
    package struct Place: Hashable {
        /// The slot.
        package let slot: UInt16
        /// The registration in it.
        package let number: RegistrationNumber

        /// Pairs both.
        package init(slot: UInt16, number: RegistrationNumber) {
            self.slot = slot
            self.number = number
        }
    }

    /// Ascending by slot.
    package let places: [Place]

    /// The places of a device, in any order.
    package init(_ places: [Place]) {
        self.places =
            places.count < 2
            ? places : places.sorted { ($0.slot, $0.number) < ($1.slot, $1.number) }
    }

    /// How many slots the hub gave that are in use.
    package var givenCount: Int { places.count { $0.slot >= SlotNumber.hubFirst } }

    /// The place that the hub gave last: numbers ascend with time.
    package var lastGiven: Place? {
        places.filter { $0.slot >= SlotNumber.hubFirst }.max { $0.number < $1.number }
    }

    /// The registration in a slot.
    package func number(in slot: UInt16) -> RegistrationNumber? {
        places.first { $0.slot == slot }?.number
    }

    /// The slot that the hub gives behind the one that it gave last; nil when all are taken.
    package func nextFree(behind last: UInt16?) -> UInt16? {
        var slot = last.map(Self.next) ?? SlotNumber.hubFirst
        for _ in 0...places.count {
            if number(in: slot) == nil { return slot }
            slot = Self.next(slot)
        }
        return nil
    }

    private static func next(_ slot: UInt16) -> UInt16 {
        slot < SlotNumber.hubLast ? slot + 1 : SlotNumber.hubFirst
    }
}
