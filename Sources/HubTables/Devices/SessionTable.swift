package import HubVocabulary

/// Who speaks for each connected device, 64 bytes each and an index of four.
package struct SessionTable {
    /// Who speaks for a device now.
    package struct Session: DeviceRow {
        package let device: DeviceID
        private let connection: ConnectionID
        /// Tells it from earlier sessions of the device.
        package let generation: UInt64
        /// The instance of the app that began it.
        package let instance: UInt64
        private let shardNumber: UInt16
        private var takeoverCount: UInt16 = 0
        /// The instance that `takeovers` counts besides this one; its own when it has none.
        private var rival: UInt64
        /// When the takeovers began to be counted.
        package private(set) var takeoversSince: Instant

        /// A session that took nothing over.
        package init(
            device: DeviceID,
            address: ConnectionAddress,
            generation: UInt64,
            instance: UInt64,
            now: Instant
        ) {
            self.device = device
            connection = address.connection
            shardNumber = UInt16(address.shard)
            self.generation = generation
            self.instance = instance
            rival = instance
            takeoversSince = now
        }

        /// Takes the device over from the session before.
        package mutating func follow(_ old: Session, isRecent: Bool) {
            let isQuarrel = isRecent && old.isRival(instance)
            if old.instance == instance {
                guard isRecent else { return }
                (rival, takeoverCount, takeoversSince) =
                    (old.rival, old.takeoverCount, old.takeoversSince)
            } else {
                rival = old.instance
                takeoverCount = isQuarrel ? old.takeoverCount &+ 1 : 1
                if isQuarrel { takeoversSince = old.takeoversSince }
            }
        }

        /// Whether this session took the device from that instance, directly or long in a row.
        package func isRival(_ other: UInt64) -> Bool { other == rival && other != instance }

        /// Where it is.
        package var address: ConnectionAddress {
            ConnectionAddress(shard: Int(shardNumber), connection: connection)
        }

        /// Takeovers between this instance and its rival since `takeoversSince`.
        package var takeovers: Int { Int(takeoverCount) }
    }

    private var sessions: [Session] = []
    private var free: [UInt32] = []
    private var index: DeviceIndex

    /// An empty table.
    package init(seed: UInt64) { index = DeviceIndex(seed: seed) }

    /// Devices with a session.
    package var count: Int { index.count }

    /// How many places there are, free ones included.
    package var placeCount: Int { sessions.count }

    /// Calls `body` with the devices of so many places from one on, until it says no.
    ///
    /// - Returns: the place behind the last one looked at.
    package func forEach(
        from start: Int,
        looking count: Int,
        _ body: (DeviceID) -> Bool
    ) -> Int {
        var place = start
        let end = min(start + count, sessions.count)
        while place < end {
            let device = sessions[place].device
            // A free place has the device that was there last, which may be at another one now.
            let isFree = index.place(of: device, in: sessions) != place
            place += 1
            if !isFree, !body(device) { break }
        }
        return place
    }

    /// The present session of a device.
    package subscript(device: DeviceID) -> Session? {
        index.place(of: device, in: sessions).map { sessions[$0] }
    }

    /// Puts a session in, instead of the one that its device had.
    package mutating func put(_ session: Session) {
        if let known = index.place(of: session.device, in: sessions) {
            sessions[known] = session
            return
        }
        let place: Int
        if let known = free.popLast() {
            place = Int(known)
            sessions[place] = session
        } else {
            place = sessions.count
            sessions.appendSparingly(session)
        }
        index.insert(place, in: sessions)
    }

    /// Takes out the session of a device, which may have none.
    package mutating func remove(_ device: DeviceID) {
        if let place = index.remove(device, in: sessions) { free.append(UInt32(place)) }
    }
}
