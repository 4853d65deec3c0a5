import HubVocabulary

/// The sessions of one hub on one shard, by place and by device, and those that read the log.
struct OpenSessions {
    /// By place; a place that is free keeps the remains of its last session.
    var rows: [DeviceSession] = []
    private var free: [Int] = []
    private var byDevice: DeviceIndex
    /// Places of the sessions that read the log, in an order that follows from how they came.
    private(set) var readers: [Int] = []

    /// No session.
    init(seed: UInt64) { byDevice = DeviceIndex(seed: seed) }

    subscript(place: Int) -> DeviceSession {
        _read { yield rows[place] }
        _modify { yield &rows[place] }
    }

    /// The place of a device's newest session; nil when it has none here.
    func place(of device: DeviceID) -> Int? { byDevice.place(of: device, in: rows) }

    /// The places of all devices' newest sessions, in no telling order.
    var places: [Int] { byDevice.places }

    /// The same, by device.
    var placesByDevice: [Int] {
        byDevice.places.sorted { rows[$0].device < rows[$1].device }
    }

    /// Puts a session into a free place.
    mutating func insert(_ session: consuming DeviceSession) -> Int {
        let device = session.device
        let place: Int
        if let last = free.popLast() {
            rows[last] = session
            place = last
        } else {
            place = rows.count
            rows.appendSparingly(session)
        }
        // A session that is taken over goes later.
        if self.place(of: device) == nil {
            byDevice.insert(place, in: rows)
        } else {
            byDevice.move(device, to: place, in: rows)
        }
        if case .catchingUp(let state) = rows[place].mode { startReading(place, state) }
        return place
    }

    /// Frees a place.
    mutating func remove(_ place: Int) {
        stopReading(place)
        let device = rows[place].device
        if self.place(of: device) == place { byDevice.remove(device, in: rows) }
        rows[place].clear()
        free.append(place)
    }

    /// Lets a session read the log from now on.
    mutating func startReading(_ place: Int, _ state: CatchUp) {
        rows[place].mode = .catchingUp(state)
        state.readerIndex = readers.count
        readers.append(place)
    }

    /// Makes a session live: it needs the log no longer.
    mutating func stopReading(_ place: Int) {
        guard case .catchingUp(let state) = rows[place].mode else { return }
        rows[place].mode = .live
        guard let index = state.readerIndex, let last = readers.popLast() else { return }
        guard last != place, case .catchingUp(let moved) = rows[last].mode else { return }
        readers[index] = last
        moved.readerIndex = index
    }
}
