package import HubCluster

/// One run of a node, as the database's other nodes see it.
package struct LeadingNode: Hashable, Sendable {
    /// No other run has the same number; it fits in 63 bits.
    package let run: UInt64
    /// The machine's name.
    package var name: String
    /// Where its REST interface listens; empty until that is known.
    package var address: String
    /// Where devices connect to it; empty until that is known.
    package var devices: String
    /// Its part that other nodes must have alike.
    package var shape: NodeShape

    /// Names a run.
    package init(
        run: UInt64,
        name: String,
        address: String,
        devices: String = "",
        shape: NodeShape = NodeShape(release: "", limits: [:])
    ) {
        self.run = run
        self.name = name
        self.address = address
        self.devices = devices
        self.shape = shape
    }
}
