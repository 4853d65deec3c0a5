package import HubVocabulary

/// The directory's view of stored registrations, on the writer's thread: as of the last commit.
package protocol RegistrationReading: AnyObject {
    /// The live registrations with these numbers, in this order; those that do not live are left
    /// out.
    ///
    /// Templates are not compiled: `Registration.template` is nil, the definition is in its content.
    func registrations(_ numbers: [RegistrationNumber]) throws(StoreError) -> [Registration]

    /// Whether a deleted registration that is still remembered had an external id: it answers 410
    /// unless a live one has it again.
    func wasRegistrationDeleted(id: [UInt8]) throws(StoreError) -> Bool

    /// The slot of the deleted registration with the highest number that led to a device in a slot
    /// from `first` on; nil when none is remembered.
    func lastDeletedSlot(
        of device: DeviceID,
        from first: UInt16
    ) throws(StoreError) -> (number: RegistrationNumber, slot: UInt16)?
}
