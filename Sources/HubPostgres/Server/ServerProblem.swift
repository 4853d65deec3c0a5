/// Why a server may not keep a hub.
package enum ServerProblem: Hashable, Sendable {
    /// Its release lacks what the statements need; as PostgreSQL writes versions, 130011 for 13.11.
    case version(Int)
    /// A setting lets a power cut take away what was committed.
    case setting(String, value: String, needed: String)
    /// The tables are those of another release.
    case schema(found: Int, known: Int)
    /// Only a part of the hub was moved into the database.
    case hubInPart(String)
}

extension ServerProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .version(let number):
            "PostgreSQL \(number / 10_000) is too old: release \(PostgresSettings.releaseMin) or "
                + "newer is needed"
        case .setting(let name, let value, let needed):
            "PostgreSQL runs with \(name) = \(value) and may lose what it has committed: "
                + "set \(name) = \(needed)"
        case .schema(let found, let known):
            "the database has tables of schema \(found), and this release knows \(known)"
        case .hubInPart(let name):
            "only a part of hub \(name) was moved into the database: run 'belfry migrate' again"
        }
    }
}
