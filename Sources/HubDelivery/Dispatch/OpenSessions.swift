import HubTables
import HubVocabulary

/// The sessions of one hub on one shard, by row and by device, and those that read the log.
struct OpenSessions {
    /// A row that is free keeps the remains of its last session.
    var rows: [DeviceSession] = []
    private var free: [SessionIndex] = []
    private var byDevice: DeviceIndex
    /// The sessions that read the log, in an order that follows from how they came.
    private(set) var readers: [SessionIndex] = []

    /// No session.
    init(seed: UInt64) { byDevice = DeviceIndex(seed: seed) }

    subscript(index: SessionIndex) -> DeviceSession {
        _read { yield rows[index.row] }
        _modify { yield &rows[index.row] }
    }

    /// The index of a device's newest session; nil when it has none here.
    func index(of device: DeviceID) -> SessionIndex? {
        byDevice.place(of: device, in: rows).map { SessionIndex(row: $0) }
    }

    /// The newest sessions of all devices, in no telling order.
    var indices: [SessionIndex] { byDevice.places.map { SessionIndex(row: $0) } }

    /// The same, by device.
    var indicesByDevice: [SessionIndex] {
        indices.sorted { self[$0].device < self[$1].device }
    }

    /// Puts a session into a free row.
    mutating func insert(_ session: consuming DeviceSession) -> SessionIndex {
        let device = session.device
        let index: SessionIndex
        if let last = free.popLast() {
            self[last] = session
            index = last
        } else {
            index = SessionIndex(row: rows.count)
            rows.appendSparingly(session)
        }
        // A session that is taken over goes later.
        if self.index(of: device) == nil {
            byDevice.insert(index.row, in: rows)
        } else {
            byDevice.move(device, to: index.row, in: rows)
        }
        if case .catchingUp(let state) = self[index].mode { startReading(index, state) }
        return index
    }

    /// Frees a row.
    mutating func remove(_ index: SessionIndex) {
        stopReading(index)
        let device = self[index].device
        if self.index(of: device) == index { byDevice.remove(device, in: rows) }
        self[index].clear()
        free.append(index)
    }

    /// Lets a session read the log from now on.
    mutating func startReading(_ index: SessionIndex, _ state: CatchUp) {
        self[index].mode = .catchingUp(state)
        state.readerIndex = readers.count
        readers.append(index)
    }

    /// Makes a session live: it needs the log no longer.
    mutating func stopReading(_ index: SessionIndex) {
        guard case .catchingUp(let state) = self[index].mode else { return }
        self[index].mode = .live
        guard let number = state.readerIndex, let last = readers.popLast() else { return }
        guard last != index, case .catchingUp(let moved) = self[last].mode else { return }
        readers[number] = last
        moved.readerIndex = number
    }
}
