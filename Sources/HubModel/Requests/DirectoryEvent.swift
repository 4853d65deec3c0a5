package import HubVocabulary

/// An event that operators count; holds no secret, handle or payload.
package enum DirectoryEvent: Hashable, Sendable {
    /// A group's registration changes were refused by the store.
    case changesRefused(StoreError)
    /// A group's log records were refused by the store.
    case recordsRefused(StoreError)
    /// The log could not be read for a device that connects.
    case readRefused(StoreError)
    /// Cursors could not be made durable; they are tried again.
    case checkpointRefused(StoreError)
    /// Counters found no room while the store refuses checkpoints, or receipts would have needed too
    /// many searches of the log.
    case telemetryDropped(Int)
    /// Receipts were for notifications that were not sent to those slots.
    case receiptsIgnored(Int)
    /// A stored template no longer compiles; its registration gets nothing.
    case undeliverableTemplate(RegistrationNumber)
    /// A registration was stored with a handle that no device of this hub has.
    case unknownHandle
    /// A proven device showed a position that this history does not have. Source: rules B.2.
    case historyForkSuspected
    /// A newer connection took a device over.
    case takenOver(sameInstance: Bool)
    /// Two instances of one device kept taking each other over.
    case duplicateDevice
    /// A device proved a key that was revoked.
    case revokedKey
    /// A request or acknowledgement of a session that is no longer the device's.
    case staleSession
    /// A limit refused something; told once a minute for each limit.
    case limitReached(HubLimit)
    /// The queue was full and refused a request.
    case queueFull
    /// Registrations whose time was over were removed.
    case expired(Int)
    /// A device that was not seen for too long was removed with its registrations.
    case deviceForgotten
    /// Scheduled notifications took their place in the log.
    case schedulesFired(Int)
    /// Idempotency keys could not be removed from the store; tried again.
    case forgettingRefused(StoreError)
    /// Records that were owed to no device any more were removed.
    case recordsRemoved(Int)
    /// Old records could not be removed; tried again.
    case tidyingRefused(StoreError)
    /// The log has more bytes than were meant for it, and all of them are still owed.
    case logTooLarge(bytes: Int)
    /// Lists of records in a part of the log are damaged: nothing is lost, but devices that come back
    /// cost more until the operator has put a backup in place or the part has been removed.
    case listsDamaged(part: Int)
}
