import HubParcel
import HubWire

extension DeviceState {
    /// Takes the identity of WELCOME; returns whether it is a new one.
    mutating func adoptIdentity(
        of welcome: WelcomeFrame
    ) throws(WireError) -> Bool {
        if welcome.deviceKey.isEmpty {
            guard var known = identity, known.id == welcome.deviceID else {
                throw WireError(.badField, about: .welcome)
            }
            known.handle = welcome.handle
            identity = known
            return false
        }
        let isNew = identity?.id != welcome.deviceID
        if isNew { forgetIdentity() }
        identity = DeviceIdentity(
            id: welcome.deviceID,
            key: welcome.deviceKey,
            handle: welcome.handle
        )
        return isNew
    }

    /// Drops an identity and all that the hub knows under it; notifications and choices stay.
    mutating func forgetIdentity() {
        identity = nil
        position = .none
        openGroup = nil
        etag = 0
        removals = []
        for index in choices.indices { choices[index].isConfirmed = false }
    }

    /// Takes the position that WELCOME has agreed on.
    mutating func adoptPosition(of welcome: WelcomeFrame) throws(WireError) {
        let agreed = welcome.position
        switch welcome.resume {
        case .resumed:
            guard position.epoch != 0, agreed.sequence >= position.sequence else {
                throw WireError(.badField, about: .welcome)
            }
            if agreed.sequence > position.sequence { openGroup = nil }
        case .gap:
            openGroup = nil
        case .fresh, .reset:
            // A device with a past may be sent what it has; its ids tell.
            openGroup = nil
            recent.beginComparing()
        }
        position = agreed
    }
}

extension DeviceState {
    /// Moves position and open group over an entry; returns whether it was stored before.
    mutating func advance(
        to sequence: UInt64,
        entry: DeliverEntry,
        parcel: Span<UInt8>
    ) -> Bool {
        guard sequence > position.sequence else { return true }
        var slots: [UInt16] = []
        if let group = openGroup, group.sequence == sequence { slots = group.slots }
        let isKnown = slots.contains(entry.slot)
        if entry.continues {
            if !isKnown { slots.append(entry.slot) }
            openGroup = OpenGroup(sequence: sequence, slots: slots)
        } else {
            openGroup = nil
            position.sequence = sequence
            // Every parcel has at least 32 bytes and its id at a place that never moves.
            position.check = ParcelID(ofParcel: parcel)?.check ?? 0
        }
        return isKnown
    }
}
