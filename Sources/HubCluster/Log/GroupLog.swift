package import HubModel
package import HubVocabulary

/// One hub in the database, as its leader writes it; on the hub's writer thread.
///
/// Every call blocks until its promise holds, and none returns in doubt: a call whose answer was
/// lost asks the database, and sends the same again until it is known. `.fenced` ends the lead, also
/// when a doubt could not be resolved in time; every later call throws it too. With any other error
/// nothing was stored.
package protocol GroupLog: AnyObject {
    /// The state of the log, as of the last call.
    var place: GroupPlace { get }

    /// Stores the group of the number `place.feed + 1`, with its effect, as one transaction.
    ///
    /// - Throws: `.fenced` when another leader has the hub, `.full` or `.unavailable`.
    func append(_ group: EncodedGroup, _ effect: GroupEffect) throws(StoreError)

    /// Stores cursors, counters and lanes, and which reports they count; once for each number.
    func checkpoint(_ batch: CheckpointBatch, reports: NodeReports) throws(StoreError)

    /// Begins an epoch above the head; refused like a group when one came between.
    func begin(_ epoch: GroupEpoch) throws(StoreError)

    /// Makes every record at or below a place undeliverable.
    func purge(through place: UInt64) throws(StoreError)

    /// Removes some of what may go; whether there may be more.
    ///
    /// `place.first` and `place.changesFirst` say so before anything is gone.
    func trim(_ extent: TrimExtent) throws(StoreError) -> Bool

    /// Writes something that changes nothing: whether groups would be stored now.
    func probe() throws(StoreError)

    /// Calls `body` with the merged cursor of every device known.
    func forEachCursor(_ body: (StoredCursor) -> Void) throws(StoreError)

    /// Reads changes of cursors behind a row of their journal, some megabytes at most.
    func cursorJournal(behind mark: JournalMark) throws(StoreError) -> JournalNews

    /// The counters of one notification, by platform and kind, those of the whole one last.
    func counters(of sequence: UInt64) throws(StoreError) -> [CounterDelta]

    /// The lanes that were ever noted, ascending by platform.
    func lanes() throws(StoreError) -> [StoredLane]

    /// The newest failures of lanes for one notification, ascending by registration.
    func relayFailures(
        of sequence: UInt64,
        platform: Platform
    ) throws(StoreError) -> [RelayFailure]

    /// Reads for copies.
    var reading: any GroupReading { get }

    /// Lets go of the lead and of the database.
    func close()
}
