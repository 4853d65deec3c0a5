/// Names one caller of a command until it is answered; chosen by the owner, never reused at once.
package struct RequestToken: Hashable, Sendable {
    /// The owner's number.
    package var raw: UInt64

    /// Makes a token.
    package init(_ raw: UInt64) { self.raw = raw }
}

/// What a directory asks its owner to do, in the order in which it must happen.
package enum DirectoryAction: Sendable {
    /// Answers a command; everything the answer says is durable.
    case reply(RequestToken, Result<HubReply, Refusal>)
    /// Goes to every shard, before any reply or message of the same group.
    case feed(FeedItem)
    /// Goes to one shard.
    case message(shard: Int, ShardMessage)
    /// Goes to every shard.
    case broadcast(ShardMessage)
    /// A bulk job is to be carried out; none is handed out before this one is at its end.
    case runJob(BulkJob)
    /// Counted and logged.
    case event(DirectoryEvent)
}

/// What an operator counts; holds no secret, handle or payload.
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
    /// A stored template no longer compiles; its registration gets nothing.
    case undeliverableTemplate(RegistrationNumber)
    /// A registration was stored whose handle is none of ours.
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
    /// Records of which none was owed any more were removed.
    case recordsRemoved(Int)
    /// Old records could not be removed; tried again.
    case tidyingRefused(StoreError)
    /// The log has more bytes than were meant for it, and all of them are still owed.
    case logTooLarge(bytes: Int)
    /// Lists of records in a part of the log are damaged: nothing is lost, but devices that come back
    /// cost more until the operator has put a backup in place or the part has been removed.
    case listsDamaged(part: Int)
}

/// One group for the store: changes first, then records.
///
/// Source: rules A.2.
package struct CommitGroup: Sendable {
    /// Dense, from 1; `committed` wants the same group back.
    package let number: UInt64
    /// In an order in which they can be applied.
    package let changes: [StoredChange]
    /// Ascending from the log's head + 1.
    package let records: [NotificationRecord]
}
