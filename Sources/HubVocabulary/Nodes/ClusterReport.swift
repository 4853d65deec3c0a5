/// The nodes of the database that holds a server's hubs, as one of them tells operators.
package struct ClusterReport: Equatable, Sendable {
    /// How a node stands.
    package enum Standing: String, CaseIterable, Sendable {
        case leads
        case standby
        /// It was not heard of for longer than one that is there keeps silent.
        case silent
    }

    /// How far the copies of a node are that waits.
    package struct Copies: Equatable, Sendable {
        /// Groups that they lack, of all hubs together.
        package var behind: UInt64
        /// Whether it could lead without reading registrations.
        package var isWarm: Bool
        /// Whether one has seen more than the database holds, which was set back then.
        package var isAhead: Bool

        /// Makes one of its parts.
        package init(behind: UInt64, isWarm: Bool, isAhead: Bool) {
            (self.behind, self.isWarm, self.isAhead) = (behind, isWarm, isAhead)
        }

        /// As an operator reads it.
        package var text: String {
            if isAhead { return "ahead: the database was set back" }
            let distance = behind == 0 ? "level" : "\(behind) groups behind"
            return distance + (isWarm ? ", warm" : "")
        }
    }

    /// One run of a node.
    package struct Node: Equatable, Sendable {
        /// The machine's name.
        package var name: String
        /// Where its REST interface listens.
        package var address: String
        /// The release of its program.
        package var release: String
        /// How it stands.
        package var standing: Standing
        /// Milliseconds since the database heard of it.
        package var silence: UInt64
        /// Whether it is the one that tells this.
        package var isSelf: Bool
        /// Nil for a node that leads, and for one that told nothing.
        package var copies: Copies?

        /// Makes one of its parts.
        package init(
            name: String,
            address: String,
            release: String,
            standing: Standing,
            silence: UInt64,
            isSelf: Bool
        ) {
            (self.name, self.address, self.release) = (name, address, release)
            (self.standing, self.silence, self.isSelf) = (standing, silence, isSelf)
        }
    }

    /// PostgreSQL's own standbys.
    package struct Standbys: Equatable, Sendable {
        /// Those that commits wait for, as `synchronous_standby_names` has them; empty for none.
        package var synchronousNames: String
        /// Those that are connected.
        package var connected: Int
        /// Those of them that commits wait for; nil where that is not known.
        package var synchronous: Int?

        /// Makes one of its parts.
        package init(synchronousNames: String, connected: Int, synchronous: Int?) {
            self.synchronousNames = synchronousNames
            (self.connected, self.synchronous) = (connected, synchronous)
        }
    }

    /// Where the database is, without a password.
    package var database: String
    /// Whether the node that tells this believes that it leads.
    package var leads: Bool
    /// Why the database cannot be asked; nil when it can.
    package var fault: String?
    /// The number of the last lead.
    package var term: UInt64 = 0
    /// Milliseconds until the lease ends; 0 when no node leads.
    package var leaseMilliseconds: UInt64 = 0
    /// The runs that were seen in the last day, by name and address.
    package var nodes: [Node] = []
    /// Nil while the database cannot be asked.
    package var standbys: Standbys?

    /// A database that was not asked yet.
    package init(database: String, leads: Bool) {
        (self.database, self.leads) = (database, leads)
    }
}
