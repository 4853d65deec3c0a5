/// Where other nodes reach a node.
package struct NodePlace: Hashable, Sendable {
    /// Its REST interface.
    package var rest: NodeAddress
    /// Its device port.
    package var devices: NodeAddress

    /// Joins both.
    package init(rest: NodeAddress, devices: NodeAddress) {
        self.rest = rest
        self.devices = devices
    }
}
