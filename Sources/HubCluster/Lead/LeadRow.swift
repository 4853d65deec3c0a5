/// Who leads the hubs of a database, as its row `lead` says at one moment.
package struct LeadRow: Hashable, Sendable {
    /// Goes up by one with each leader; 0 before the first.
    package var term: UInt64
    /// The run of a node that leads, or led last; 0 before the first.
    package var holder: UInt64
    /// That node's name.
    package var node: String
    /// Where its REST interface listens.
    package var address: String
    /// Where devices connect to it.
    package var devices: String
    /// Milliseconds until the lease ends by the database's clock; 0 once it has.
    package var left: UInt64
    /// The run that is to lead next, as an operator asked; 0 for any.
    package var wanted: UInt64
    /// The database's clock, in milliseconds since 1970; 0 where it was not read.
    package var clock: UInt64

    /// No node has led yet.
    package init() { self.init(term: 0, holder: 0, node: "", address: "", left: 0) }

    /// Names a leader.
    package init(
        term: UInt64,
        holder: UInt64,
        node: String,
        address: String,
        devices: String = "",
        left: UInt64,
        wanted: UInt64 = 0,
        clock: UInt64 = 0
    ) {
        self.term = term
        self.holder = holder
        self.node = node
        self.address = address
        self.devices = devices
        self.left = left
        self.wanted = wanted
        self.clock = clock
    }

    /// Whether another run than this one is to lead next.
    func isPromised(beside run: UInt64) -> Bool { wanted != 0 && wanted != run }

    /// Whether a node leads.
    package var isHeld: Bool { left > 0 }
}
