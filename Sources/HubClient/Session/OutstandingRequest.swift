import HubWire

/// A request that the hub has not answered.
struct OutstandingRequest: Equatable {
    enum Kind: Equatable {
        case register(RegistrationChoice)
        case tags(RegistrationChoice)
        case unregister(slot: UInt16)
        case receipts([Receipt])
    }

    let ref: UInt16
    let kind: Kind

    /// The slot that it changes.
    var slot: UInt16? {
        switch kind {
        case .register(let choice), .tags(let choice): choice.slot
        case .unregister(let slot): slot
        case .receipts: nil
        }
    }
}
