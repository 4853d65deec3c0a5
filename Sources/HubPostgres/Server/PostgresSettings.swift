/// A server's settings, as far as the promise depends on them.
package struct PostgresSettings: Hashable, Sendable {
    /// The oldest release whose behaviour the statements rely on.
    package static let releaseMin = 14
    /// Levels of `synchronous_commit` at which a commit is on the primary's disk, and on a
    /// synchronous standby's.
    private static let durableLevels: Set<String> = ["on", "remote_apply"]

    /// As PostgreSQL writes versions, 150018 for 15.18.
    package var version: Int
    /// Whether the server waits for its disk.
    package var fsync: String
    /// Whether torn pages can be mended.
    package var fullPageWrites: String
    /// The places at which a commit has to be before it returns.
    package var synchronousCommit: String
    /// Standbys that commits wait for; empty for none.
    package var synchronousStandbys: String

    /// Takes what a server said.
    package init(
        version: Int,
        fsync: String,
        fullPageWrites: String,
        synchronousCommit: String,
        synchronousStandbys: String
    ) {
        self.version = version
        self.fsync = fsync
        self.fullPageWrites = fullPageWrites
        self.synchronousCommit = synchronousCommit
        self.synchronousStandbys = synchronousStandbys
    }

    /// Why the hub refuses the server; nil when it does not.
    package var problem: ServerProblem? {
        if version < Self.releaseMin * 10_000 { return .version(version) }
        for (name, value) in [("fsync", fsync), ("full_page_writes", fullPageWrites)]
        where value != "on" {
            return .setting(name, value: value, needed: "on")
        }
        guard Self.durableLevels.contains(synchronousCommit) else {
            return .setting("synchronous_commit", value: synchronousCommit, needed: "on")
        }
        return nil
    }
}
