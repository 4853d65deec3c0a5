import HubDelivery
import HubVocabulary

// Connections: bytes take their time, in order; ends are told, late, or never.
extension Simulation {
    /// Opens a connection of a device to a shard; nil when there is no hub.
    func connect(_ device: Int) -> Int? {
        guard let hub else { return nil }
        let number = Int(world.below(UInt64(hub.shards.count)))
        let shard = hub.shards[number]
        var slot = shard.links.firstIndex { $0 == nil } ?? shard.links.count
        // Slots are used again, as descriptors are; sometimes a new one.
        if slot < shard.links.count, world.oneIn(4) { slot = shard.links.count }
        if slot == shard.links.count { shard.links.append(nil) }
        shard.generations += 1
        let connection = ConnectionID(slot: UInt32(slot), generation: shard.generations)
        let link = links.count
        shard.links[slot] = link
        links.append(
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
            exporter: exporter(link),
            certificate: .none
        )
        shard.loop.core.opened(connection, peer: peer, now: world.now)
        wakeShard(number)
        return link
    }

    /// Returns the exporter value that both ends of a connection share.
    func exporter(_ link: Int) -> [UInt8] {
        (0..<32).map { UInt8(truncatingIfNeeded: link >> ($0 % 4 * 8)) }
    }

    func link(of address: ConnectionAddress) -> Int? {
        guard let hub else { return nil }
        let places = hub.shards[address.shard].links
        let slot = Int(address.connection.slot)
        guard slot < places.count, let link = places[slot],
            links[link].connection == address.connection
        else { return nil }
        return link
    }

    // MARK: From the hub

    func room(in connection: ConnectionID, shard: Int) -> Int {
        let address = ConnectionAddress(shard: shard, connection: connection)
        guard let link = link(of: address), links[link].isOpenAtHub else { return 0 }
        let room = max(0, Link.capacity - links[link].toDevice.bytes)
        if room < 24_000 || links[link].isFull {
            links[link].isStarved = true
            return links[link].isFull ? 0 : room
        }
        return room
    }

    func write(_ bytes: Span<UInt8>, to connection: ConnectionID, shard: Int) {
        let address = ConnectionAddress(shard: shard, connection: connection)
        guard let link = link(of: address), links[link].isOpenAtHub else { return }
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        for index in bytes.indices { copy.append(bytes[index]) }
        send(copy, link, toDevice: true)
    }

    func closeAtHub(_ connection: ConnectionID, _ shard: Int, afterFlush: Bool) {
        let address = ConnectionAddress(shard: shard, connection: connection)
        guard let link = link(of: address), links[link].isOpenAtHub else { return }
        if !afterFlush { links[link].toDevice.clear() }
        end(link, toDevice: true)
        forgetAtHub(link)
    }

    /// The hub's transport drops a connection and tells the core.
    func forgetAtHub(_ link: Int) {
        guard links[link].isOpenAtHub else { return }
        links[link].isOpenAtHub = false
        guard let hub, hub.life == links[link].life else { return }
        let shard = hub.shards[links[link].shard]
        shard.links[Int(links[link].connection.slot)] = nil
        shard.loop.core.closed(links[link].connection, now: world.now)
        wakeShard(links[link].shard)
    }

    // MARK: On the way

    func send(_ bytes: [UInt8], _ link: Int, toDevice: Bool) {
        guard !bytes.isEmpty else { return }
        // Cut anywhere, as streams are.
        if bytes.count > 1, world.oneIn(12) {
            let place = 1 + Int(world.below(UInt64(bytes.count - 1)))
            append(Array(bytes[..<place]), link, toDevice, isEnd: false)
            append(Array(bytes[place...]), link, toDevice, isEnd: false)
        } else {
            append(bytes, link, toDevice, isEnd: false)
        }
    }

    /// The stream ends behind what was written.
    func end(_ link: Int, toDevice: Bool) { append([], link, toDevice, isEnd: true) }

    private func append(_ bytes: [UInt8], _ link: Int, _ toDevice: Bool, isEnd: Bool) {
        let segment = Segment(bytes: bytes, sent: world.time, wall: world.now.time, isEnd: isEnd)
        let latency = links[link].latency + world.below(3_000)
        if toDevice {
            guard !links[link].toDevice.isDead else {
                return links[link].toDevice.swallow(bytes.count)
            }
            links[link].toDevice.append(segment)
            checkOutput(link)
            let arrival = max(links[link].toDevice.lastArrival, world.time + latency)
            links[link].toDevice.lastArrival = arrival
            world.events.add(.toDevice(link), at: arrival)
        } else {
            guard !links[link].toHub.isDead else { return links[link].toHub.swallow(bytes.count) }
            links[link].toHub.append(segment)
            let arrival = max(links[link].toHub.lastArrival, world.time + latency)
            links[link].toHub.lastArrival = arrival
            world.events.add(.toHub(link), at: arrival)
        }
    }

    /// A connection breaks: what is on its way is lost, and the ends hear of it.
    func breakDown(_ link: Int, tellsDevice: Bool) {
        links[link].toHub.clear()
        // Some of it may still arrive.
        if world.oneIn(2) { links[link].toDevice.clear() }
        links[link].toHub.isDead = true
        guard tellsDevice, links[link].isOpenAtDevice else { return }
        links[link].toDevice.isDead = false
        end(link, toDevice: true)
        links[link].toDevice.isDead = true
    }

    /// Both ends hear that the connection is no more.
    func cut(_ link: Int) {
        links[link].toHub.clear()
        if world.oneIn(2) { links[link].toDevice.clear() }
        links[link].toDevice.isDead = false
        links[link].toHub.isDead = false
        end(link, toDevice: true)
        end(link, toDevice: false)
        links[link].toDevice.isDead = true
        links[link].toHub.isDead = true
    }

    // MARK: Arrivals

    func arriveAtHub(_ link: Int) {
        guard links[link].isOpenAtHub, let hub, hub.life == links[link].life else { return }
        let shard = hub.shards[links[link].shard]
        guard shard.stalledUntil <= world.time else {
            world.events.add(.toHub(link), at: shard.stalledUntil)
            return
        }
        guard let segment = links[link].toHub.popFirst() else { return }
        world.count(6, link << 16 ^ segment.bytes.count)
        if segment.isEnd {
            forgetAtHub(link)
        } else {
            shard.loop.core.receive(
                segment.bytes.span,
                from: links[link].connection,
                now: world.now
            )
            wakeShard(links[link].shard)
        }
    }

    func arriveAtDevice(_ link: Int) {
        guard links[link].isOpenAtDevice else { return }
        guard links[link].blockedUntil <= world.time else {
            world.events.add(.toDevice(link), at: links[link].blockedUntil)
            return
        }
        if links[link].isFull {
            links[link].isFull = false
            becomesWritable(link)
        }
        guard let segment = links[link].toDevice.popFirst() else { return }
        world.count(7, link << 16 ^ segment.bytes.count)
        if links[link].isStarved { becomesWritable(link) }
        if segment.isEnd {
            linkEnded(links[link].device, link)
        } else {
            receive(segment, links[link].device, link)
        }
    }
}
