import HubVocabulary

/// Who speaks for each connected device, 56 bytes each and an index of four.
struct SessionTable {
    /// Who speaks for a device now.
    struct Session: DeviceRow {
        let device: DeviceID
        let connection: ConnectionID
        let generation: UInt64
        let instance: UInt64
        let takeoversSince: Instant
        private let shardNumber: UInt16
        private let takeoverCount: UInt16

        /// A session; of takeovers no more than 65,535 are told apart.
        init(
            device: DeviceID,
            address: ConnectionAddress,
            generation: UInt64,
            instance: UInt64,
            takeovers: Int,
            takeoversSince: Instant
        ) {
            self.device = device
            connection = address.connection
            shardNumber = UInt16(address.shard)
            self.generation = generation
            self.instance = instance
            takeoverCount = UInt16(clamping: takeovers)
            self.takeoversSince = takeoversSince
        }

        /// Where it is.
        var address: ConnectionAddress {
            ConnectionAddress(shard: Int(shardNumber), connection: connection)
        }

        /// Takeovers by another instance since `takeoversSince`.
        var takeovers: Int { Int(takeoverCount) }
    }

    private var sessions: [Session] = []
    private var free: [UInt32] = []
    private var index: DeviceIndex

    /// An empty table.
    init(seed: UInt64) { index = DeviceIndex(seed: seed) }

    /// Devices with a session.
    var count: Int { index.count }

    /// The present session of a device.
    subscript(device: DeviceID) -> Session? {
        index.place(of: device, in: sessions).map { sessions[$0] }
    }

    /// Puts a session in, instead of the one that its device had.
    mutating func put(_ session: Session) {
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
    mutating func remove(_ device: DeviceID) {
        if let place = index.remove(device, in: sessions) { free.append(UInt32(place)) }
    }
}
