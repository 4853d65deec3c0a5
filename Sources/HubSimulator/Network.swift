import HubVocabulary

/// The connections: bytes take their time, in order; ends are told, late, or never.
final class Network {
    private let world: World
    var links: [Link] = []

    init(_ world: World) { self.world = world }

    /// Returns the exporter value that both ends of a connection share.
    func exporter(_ link: Int) -> [UInt8] {
        (0..<32).map { UInt8(truncatingIfNeeded: link >> ($0 % 4 * 8)) }
    }

    // MARK: From the hub

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

    /// Checks that no more waits for a connection than was asked for, and some control frames.
    func checkOutput(_ link: Int) {
        let bytes = links[link].toDevice.bytes
        if bytes > Link.capacity + world.plan.session.controlBytesMax {
            world.violate("\(bytes) bytes wait for a device")
        }
    }
}
