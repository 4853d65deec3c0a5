import HubDelivery
import HubVocabulary

/// The transport as a shard writes to it.
struct WireOutput: ShardOutput {
    unowned let simulation: Simulation
    let shard: Int

    func room(in connection: ConnectionID) -> Int {
        simulation.room(in: connection, shard: shard)
    }

    func write(_ bytes: Span<UInt8>, to connection: ConnectionID) {
        simulation.write(bytes, to: connection, shard: shard)
    }
}
