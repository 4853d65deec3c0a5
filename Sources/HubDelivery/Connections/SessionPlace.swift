/// A device's session on one hub of this shard, in eight bytes.
struct SessionPlace {
    private let hubNumber: Int32
    private let sessionNumber: Int32

    init(hub: Int, session: Int) {
        hubNumber = Int32(hub)
        sessionNumber = Int32(session)
    }

    var hub: Int { Int(hubNumber) }
    var session: Int { Int(sessionNumber) }
}
