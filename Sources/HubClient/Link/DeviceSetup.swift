/// A device to add to a loop.
package struct DeviceSetup: Sendable {
    /// Hub, windows and abilities.
    package var session: LinkSession.Configuration
    /// Where it remembers; nil keeps it in memory and stores no notification.
    package var store: (any DeviceStore)?
    /// The state that it starts from without a store.
    package var state = DeviceState()
    /// Decides its delays and tokens.
    package var seed: UInt64

    /// A device that starts from its store, or as a new one.
    package init(
        session: LinkSession.Configuration,
        store: (any DeviceStore)? = nil,
        seed: UInt64
    ) {
        self.session = session
        self.store = store
        self.seed = seed
        if let store { state = store.state }
    }

    /// Makes the device register a slot as soon as it is connected.
    package mutating func choose(_ choice: RegistrationChoice) {
        state.choices.removeAll { $0.choice.slot == choice.slot }
        state.choices.append(SlotChoice(choice: choice, isConfirmed: false))
        state.choices.sort { $0.choice.slot < $1.choice.slot }
    }
}
