/// A choice and whether the hub has it.
package struct SlotChoice: Equatable, Sendable {
    /// The registration that the app wants.
    package var choice: RegistrationChoice
    /// Whether the hub has confirmed exactly this.
    package var isConfirmed: Bool

    /// A choice with its state.
    package init(choice: RegistrationChoice, isConfirmed: Bool) {
        self.choice = choice
        self.isConfirmed = isConfirmed
    }
}
