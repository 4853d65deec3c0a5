/// The registrations that lead to one device, by slot.
///
/// 0…15 are the device's own; 0x0100…0xFFFE are given by the hub, upwards, and used again only when
/// the range is exhausted. Source: rules B.12, C.1.
struct DevicePlaces {
    /// One taken slot.
    struct Place: Hashable {
        var slot: UInt16
        var number: RegistrationNumber
    }

    /// The lowest slot that the hub gives.
    static let givenFirst: UInt16 = 0x0100
    /// The highest one.
    static let givenLast: UInt16 = 0xFFFE

    /// Ascending by slot.
    private(set) var places: [Place] = []
    private var nextGiven = DevicePlaces.givenFirst

    /// Whether nothing would be lost by forgetting this device.
    var isForgettable: Bool { places.isEmpty && nextGiven == Self.givenFirst }

    /// How many slots the hub gave that are in use.
    var givenCount: Int { places.count { $0.slot >= Self.givenFirst } }

    /// The registration in a slot.
    func number(in slot: UInt16) -> RegistrationNumber? {
        let index = index(of: slot)
        return index < places.count && places[index].slot == slot ? places[index].number : nil
    }

    /// Takes a slot.
    mutating func take(_ slot: UInt16, _ number: RegistrationNumber) {
        remember(slot)
        let index = index(of: slot)
        if index < places.count, places[index].slot == slot {
            places[index].number = number
        } else {
            places.insert(Place(slot: slot, number: number), at: index)
        }
    }

    /// Frees a slot if this registration has it.
    mutating func free(_ slot: UInt16, _ number: RegistrationNumber) {
        places.removeAll { $0.slot == slot && $0.number == number }
    }

    /// Notes that a slot was in use once, so that it is not given soon.
    mutating func remember(_ slot: UInt16) {
        guard slot >= Self.givenFirst, slot >= nextGiven else { return }
        nextGiven = slot < Self.givenLast ? slot + 1 : Self.givenFirst
    }

    /// The slot that the hub gives next; nil when all are taken.
    func nextFree() -> UInt16? {
        var slot = nextGiven
        for _ in 0...places.count {
            if number(in: slot) == nil { return slot }
            slot = slot < Self.givenLast ? slot + 1 : Self.givenFirst
        }
        return nil
    }

    private func index(of slot: UInt16) -> Int {
        places.firstIndex { $0.slot >= slot } ?? places.count
    }
}
