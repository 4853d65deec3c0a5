import HubDelivery
import HubVocabulary

/// The transport as a shard writes to it.
struct WireOutput: ShardOutput {
    unowned let machine: Machine
    let life: Int
    let shard: Int

    func room(in connection: ConnectionID) -> Int {
        machine.room(in: connection, shard: shard, life: life)
    }

    func write(_ bytes: Span<UInt8>, to connection: ConnectionID) {
        machine.write(bytes, to: connection, shard: shard, life: life)
    }
}
