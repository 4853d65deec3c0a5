import HubDelivery
import HubVocabulary

// The hub's ends of connections.
extension Machine {
    /// Opens a connection of a device to a shard; nil when there is no hub.
    func connect(_ device: Int) -> Int? {
        guard let hub = addressee, hub.node?.isCutFromDevices(world.time) != true else {
            return nil
        }
        let number = Int(world.below(UInt64(hub.shards.count)))
        let shard = hub.shards[number]
        var slot = shard.links.firstIndex { $0 == nil } ?? shard.links.count
        // Slots are used again, as descriptors are; sometimes a new one.
        if slot < shard.links.count, world.oneIn(4) { slot = shard.links.count }
        if slot == shard.links.count { shard.links.append(nil) }
        shard.generations += 1
        let connection = ConnectionID(slot: UInt32(slot), generation: shard.generations)
        let link = network.links.count
        shard.links[slot] = link
        network.links.append(
            Link(
                device: device,
                shard: number,
                connection: connection,
                life: hub.life,
                latency: 300 + world.below(40_000)
            )
        )
        let peer = PeerIdentity(
            address: DeviceID(high: 0, low: UInt64(device)),
            isLoopback: true,
            exporter: network.exporter(link),
            certificate: .none
        )
        shard.loop.core.opened(connection, peer: peer, now: world.now)
        wakeShard(number, hub)
        return link
    }

    func link(of address: ConnectionAddress, life: Int) -> Int? {
        guard let hub = process(life) else { return nil }
        let places = hub.shards[address.shard].links
        let slot = Int(address.connection.slot)
        guard slot < places.count, let link = places[slot],
            network.links[link].connection == address.connection
        else { return nil }
        return link
    }

    func room(in connection: ConnectionID, shard: Int, life: Int) -> Int {
        let address = ConnectionAddress(shard: shard, connection: connection)
        guard let link = link(of: address, life: life), network.links[link].isOpenAtHub else {
            return 0
        }
        let room = max(0, Link.capacity - network.links[link].toDevice.bytes)
        if room < 24_000 || network.links[link].isFull {
            network.links[link].isStarved = true
            return network.links[link].isFull ? 0 : room
        }
        return room
    }

    func write(_ bytes: Span<UInt8>, to connection: ConnectionID, shard: Int, life: Int) {
        let address = ConnectionAddress(shard: shard, connection: connection)
        guard let link = link(of: address, life: life), network.links[link].isOpenAtHub else {
            return
        }
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        for index in bytes.indices { copy.append(bytes[index]) }
        network.send(copy, link, toDevice: true)
    }

    func closeAtHub(_ connection: ConnectionID, _ shard: Int, life: Int, afterFlush: Bool) {
        let address = ConnectionAddress(shard: shard, connection: connection)
        guard let link = link(of: address, life: life), network.links[link].isOpenAtHub else {
            return
        }
        if !afterFlush { network.links[link].toDevice.clear() }
        network.end(link, toDevice: true)
        forgetAtHub(link)
    }

    /// The hub's transport drops a connection and tells the core.
    func forgetAtHub(_ link: Int) {
        guard network.links[link].isOpenAtHub else { return }
        network.links[link].isOpenAtHub = false
        guard let hub = process(network.links[link].life) else { return }
        let shard = hub.shards[network.links[link].shard]
        shard.links[Int(network.links[link].connection.slot)] = nil
        shard.loop.core.closed(network.links[link].connection, now: world.now)
        wakeShard(network.links[link].shard, hub)
    }

    func arriveAtHub(_ link: Int) {
        guard network.links[link].isOpenAtHub, let hub = process(network.links[link].life) else {
            return
        }
        let shard = hub.shards[network.links[link].shard]
        let ready = max(shard.stalledUntil, hub.frozenUntil)
        guard ready <= world.time else {
            world.events.add(.toHub(link), at: ready)
            return
        }
        guard let segment = network.links[link].toHub.popFirst() else { return }
        world.count(6, link << 16 ^ segment.bytes.count)
        if segment.isEnd {
            forgetAtHub(link)
        } else {
            shard.loop.core.receive(
                segment.bytes.span,
                from: network.links[link].connection,
                now: world.now
            )
            wakeShard(network.links[link].shard, hub)
        }
    }

    func becomesWritable(_ link: Int) {
        guard network.links[link].isOpenAtHub, let hub = process(network.links[link].life) else {
            return
        }
        guard hub.frozenUntil <= world.time else {
            world.events.add(.writable(link), at: hub.frozenUntil)
            return
        }
        network.links[link].isStarved = false
        hub.shards[network.links[link].shard].loop.core.writable(
            network.links[link].connection,
            now: world.now
        )
        wakeShard(network.links[link].shard, hub)
    }
}
