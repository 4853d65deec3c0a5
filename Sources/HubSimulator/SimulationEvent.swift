/// Something that happens at a time of the simulation.
enum SimulationEvent {
    /// Time passes for hub and shards, as their loops wake up at least so often.
    case tick
    /// The writer of a hub's process looks at its queue.
    case writer(life: Int)
    /// The disk is done with the group that the writer waits for.
    case committed(life: Int)
    /// A shard's turn.
    case shard(Int, life: Int)
    /// A read of the log is answered.
    case page(life: Int)
    /// The next bytes of a connection reach the hub.
    case toHub(Int)
    /// The next bytes of a connection reach the device.
    case toDevice(Int)
    /// The hub hears late that a connection has room again.
    case writable(Int)
    /// Something happens to nodes or their database.
    case cluster(ClusterEvent)
    /// A device's deadline, or the time to connect.
    case device(Int)
    /// A send, a change or a fault happens.
    case operation
    /// The hub's process starts.
    case start
}
