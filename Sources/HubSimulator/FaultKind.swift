/// A kind of fault in a simulation; each seed switches some kinds off altogether.
package enum FaultKind: Int, CaseIterable, Sendable {
    /// The hub's process ends between two events.
    case crash
    /// It ends when a group is planned and nothing of it is written.
    case crashBeforeCommit
    /// It ends when a group's changes are durable and its records are not.
    case crashBetweenParts
    /// It ends when a group is durable and no caller knows it yet.
    case crashAfterCommit
    /// It ends before or after a checkpoint is written.
    case crashAtCheckpoint
    /// It ends before or after records leave the log.
    case crashAtTrim
    /// The store refuses a group's changes.
    case refusedChanges
    /// The store refuses a group's records.
    case refusedRecords
    /// The store refuses a group because a sync failed, but the bytes may be on the disk: a crash
    /// before the next commit may bring them back.
    case failedSync
    /// A sync takes its time.
    case slowSync
    /// No space is left for a while.
    case fullDisk
    /// The store refuses a checkpoint.
    case refusedCheckpoint
    /// The log cannot be read.
    case refusedRead
    /// The hub is set back to an older copy of its disk.
    case restoredBackup
    /// The disk forgets writes that it had promised to keep, or an operator puts older files back
    /// by hand. The hub goes on in the same epoch.
    case lostWrites
    /// A connection ends; what is on its way is lost.
    case cut
    /// A connection carries nothing any more, and neither end is told.
    case halfOpen
    /// A connection is slow for a while.
    case slowLink
    /// A device does not read for a while.
    case blockedReader
    /// A shard does nothing for a while.
    case slowShard
    /// A shard fell so far behind that feed items were left out.
    case lostFeed
    /// A shard's mailbox had no room.
    case fullMailbox
    /// The hub's wall clock jumps ahead.
    case clockForward
    /// The hub's wall clock jumps back.
    case clockBack
    /// A device's process ends and starts again.
    case deviceRestart
    /// A device is set back to an older copy of its storage.
    case deviceRollback
    /// A device cannot store what it got.
    case deviceStoreFailure
    /// A device loses everything and makes a new identity.
    case reinstall
    /// A device's storage is copied to a second device: two with one identity.
    case clonedDevice
    /// A device connects anew while the hub believes in the older connection.
    case takeover
    /// A device closes its window for a while, or dozes.
    case pausedWindow

    // MARK: Nodes and their database

    /// A node's process ends, or its machine loses power.
    case nodeCrash
    /// A node does nothing for a while, and goes on.
    case nodeFrozen
    /// A node does not reach the database for a while, or hears no answers.
    case databaseCut
    /// The database is away for a while.
    case databaseAway
    /// The database goes on at another host, with another clock.
    case databaseMoved
    /// The database's clock is stepped by 100 ms.
    case databaseClock
    /// An operator has the leader hand over.
    case handOver
    /// Nothing passes between a node and its devices for a while.
    case devicesCut
    /// A request to the database is lost.
    case lostRequest
    /// The database's answer is lost.
    case lostAnswer
    /// A request reaches the database when its sender has given it up.
    case lateRequest
    /// A node ends when the database has a group, and its copy does not.
    case crashBeforeCopy
    /// A node's copy is lost.
    case copyLost
    /// A node's copy is an older one.
    case copyOlder
    /// One of the two parts of a node's copy is an older one.
    case copyTorn
    /// A file of a node's copy is damaged.
    case copyDamaged
}

extension FaultKind {
    /// The word in reports.
    package var name: String { "\(self)" }

    /// Whether only nodes have it.
    package var isOfNodes: Bool { rawValue >= Self.nodeCrash.rawValue }
}
