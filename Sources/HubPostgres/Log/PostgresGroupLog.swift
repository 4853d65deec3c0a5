package import HubCluster
package import HubModel
import HubVocabulary

/// One hub in PostgreSQL, as its leader writes it; on the hub's writer thread.
///
/// Each call is one transaction in one round trip, and its first statement compares the fence.
package final class PostgresGroupLog: GroupLog {
    package internal(set) var place: GroupPlace
    package let reading: any GroupReading

    let limits: PostgresLogLimits
    let hub: Int64
    var session: LeaderSession
    /// nil until it is read, and after a step that failed.
    var cursors: CursorTables?
    /// The last block of notifications that has a row of counters; nil when none has.
    var lastCounted: UInt64?
    /// The extent that nothing is left to remove of.
    var trimmed: TrimExtent?

    /// Takes the lead of a hub, which the database then knows; the leader before stores nothing
    /// more.
    ///
    /// `isWhole` is false for a hub that is being moved into the database. Of several nodes the one
    /// names its `term` that leads them all.
    /// - Throws: `.fenced` when that term is over.
    package init(
        leading name: String,
        in database: PostgresDatabase,
        term: UInt64? = nil,
        isWhole: Bool = true,
        limits: PostgresLogLimits = PostgresLogLimits(),
        tell: @escaping @Sendable (DatabaseNews) -> Void = { _ in }
    ) throws(StoreError) {
        self.limits = limits
        do throws(PostgresError) {
            let connection = try database.connect(preparing: LogStatements.all)
            let led = term.map { [LeadStatements.require($0)] } ?? []
            let hub = try HubRow.number(of: name, isWhole: isWhole, led, connection)
            let answers = try connection.run(
                led + [
                    PostgresCommand(sql: HeadRow.take.sql) { $0.append(hub) },
                    PostgresCommand(HeadRow.epochs) { $0.append(hub) },
                    PostgresCommand(LogStatements.lastCounted) { $0.append(hub) },
                ]
            )
            let taken = Array(answers.suffix(3))
            guard let place = try HeadRow.place(taken[0], taken[1]) else {
                throw .shape("no row of hub \(name)")
            }
            self.hub = hub
            self.place = place
            lastCounted = try taken[2].isNull(0, 0) ? nil : try taken[2].number(0, 0)
            reading = PostgresGroupReading(hub: hub, database: database, limits: limits)
            session = LeaderSession(
                database,
                hub: hub,
                fence: place.fence,
                connection,
                limits,
                tell: tell
            )
        } catch {
            throw error.refusal == .fence ? .fenced : error.storeError
        }
    }

    package func append(_ group: EncodedGroup, _ effect: GroupEffect) throws(StoreError) {
        let before = place
        let after = before.behind(group, effect)
        try session.resolve(commands(storing: group, effect, after)) { found in
            before.verdict(of: found, on: group, effect)
        }
        place = after
    }

    package func begin(_ epoch: GroupEpoch) throws(StoreError) {
        let after = place.behind(epoch)
        let head = behindLast(LogStatements.beginEpoch) { [place] values in
            values.append(place.head)
            values.append(after.head)
            values.append(UInt64(after.headCheck))
            values.append(after.first)
        }
        let remove = PostgresCommand(LogStatements.removeEpoch) { [hub] values in
            values.append(hub)
            values.append(epoch.place.sequence)
        }
        try move(to: after, [head, remove, putting(epoch)])
    }

    package func purge(through place: UInt64) throws(StoreError) {
        let through = min(place, self.place.head)
        try repeating([behindLast(LogStatements.purge) { $0.append(through) }])
        self.place.purged = max(self.place.purged, through)
    }

    package func probe() throws(StoreError) { try repeating([behindLast(LogStatements.touch)]) }

    package func close() {
        session.close()
    }

    /// A statement that a later group refuses; it begins with hub, fence and the last group.
    func behindLast(
        _ statement: PostgresStatement,
        _ fill: (inout PostgresValues) -> Void = { _ in }
    ) -> PostgresCommand {
        session.fenced(statement) { values in
            values.append(place.feed)
            fill(&values)
        }
    }

    /// Sends something that may be carried out twice, unless a group came between.
    func repeating(_ commands: [PostgresCommand]) throws(StoreError) {
        let before = place
        try session.resolve(commands) { found in
            guard found.fence == before.fence else { return .fenced }
            return found.feed == before.feed ? .missing : .otherHistory
        }
    }

    /// Sends something that moves the head without a group.
    func move(to after: GroupPlace, _ commands: [PostgresCommand]) throws(StoreError) {
        let before = place
        try session.resolve(commands) { found in
            guard found.fence == before.fence else { return .fenced }
            guard found.feed == before.feed else { return .otherHistory }
            // Where both places are the same, moving twice changes nothing.
            if found.head == before.head { return .missing }
            return found.head == after.head ? .stored : .otherHistory
        }
        place = after
    }

    // MARK: The statements of a group

    private func commands(
        storing group: EncodedGroup,
        _ effect: GroupEffect,
        _ after: GroupPlace
    ) -> [PostgresCommand] {
        let head = behindLast(LogStatements.group) { values in
            values.append(after.feed)
            values.append(after.head)
            values.append(UInt64(after.headCheck))
            values.append(UInt64(after.numberMax))
            values.append(after.purged)
        }
        return [head] + rows(of: group) + items(of: effect)
    }

    private func rows(of group: EncodedGroup) -> [PostgresCommand] {
        let records = group.records.map { records in
            PostgresCommand(LogStatements.records) { [hub] values in
                values.append(hub)
                values.append(records.first)
                values.append(UInt64(records.count))
                values.append(group.number)
                values.append(records.bytes)
                values.append(UInt64(records.checksum(of: group.number)))
            }
        }
        let changes = group.changes.map { changes in
            PostgresCommand(LogStatements.changes) { [hub] values in
                values.append(hub)
                values.append(group.number)
                values.append(changes.headBefore)
                values.append(changes.bytes)
                values.append(UInt64(changes.checksum(of: group.number)))
            }
        }
        return [records, changes].compactMap { $0 }
    }

    private func items(of effect: GroupEffect) -> [PostgresCommand] {
        var commands: [PostgresCommand] = []
        if !effect.puts.isEmpty { commands.append(putting(effect.puts)) }
        if !effect.removals.isEmpty {
            commands.append(
                PostgresCommand(LogStatements.removeItems) { [hub] values in
                    values.append(hub)
                    values.append(effect.removals.map { Int16($0.kind.rawValue) })
                    values.append(effect.removals.map(\.bytes))
                }
            )
        }
        return commands
    }

    /// Inserts or replaces items, each once.
    func putting(_ items: [StoredItem]) -> PostgresCommand {
        PostgresCommand(LogStatements.putItems) { [hub] values in
            values.append(hub)
            values.append(items.map { Int16($0.key.kind.rawValue) })
            values.append(items.map(\.key.bytes))
            values.append(items.map(\.gone))
            values.append(items.map(\.body))
            values.append(items.map { UInt64($0.checksum) as UInt64? })
        }
    }

    /// Inserts the row of an epoch.
    func putting(_ epoch: GroupEpoch) -> PostgresCommand {
        PostgresCommand(LogStatements.putEpoch) { [hub] values in
            values.append(hub)
            values.append(epoch.place.sequence)
            values.append(Int64(bitPattern: epoch.place.epoch))
            values.append(UInt64(epoch.checkBelow))
        }
    }
}
