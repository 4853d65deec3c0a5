/// A device's session on one hub of this shard, in eight bytes.
struct SessionReference {
    private let hubNumber: Int32
    let index: SessionIndex

    /// Names a session of a hub.
    init(hub: Int, index: SessionIndex) {
        hubNumber = Int32(hub)
        self.index = index
    }

    /// The number of the hub.
    var hub: Int { Int(hubNumber) }
}
