package import HubVocabulary
import HubWire

/// A device's state in parts that change at different times; a part that did not change is nil.
///
///     place     u8 format | u64 epoch | u64 sequence | u32 check | u64 next number
///               u64 entries recorded | u32 comparisons left | u32 count x u16 slot of the open group
///               [u64 sequence of the open group]
///     profile   JSON: see DeviceProfile
///     receipts  u8 format | u32 count x (16 id | u8 event | u8 action | u16 slot | u64 time)
///     entries   u8 format | u32 count x (16 id | u16 slot): those recorded since
package struct StateParts {
    private static let format: UInt8 = 1

    /// How far the device has come; in each change of its state.
    package var place: [UInt8]
    /// Who it is and what it wants.
    package var profile: [UInt8]?
    /// Receipts that wait.
    package var receipts: [UInt8]?
    /// The entries that were recorded behind those of the state before.
    package var entries: [UInt8]?

    /// A state's parts as they were read.
    package init(place: [UInt8], profile: [UInt8]?, receipts: [UInt8]?, entries: [UInt8]?) {
        self.place = place
        self.profile = profile
        self.receipts = receipts
        self.entries = entries
    }

    /// The parts in which a state differs from a known one; all of them without one.
    package init(_ state: DeviceState, after known: DeviceState?) {
        place = Self.place(of: state)
        if known.map({ DeviceProfile.differs(state, from: $0) }) ?? true {
            profile = DeviceProfile(state).json
        }
        if known?.receipts != state.receipts { receipts = Self.receipts(state.receipts) }
        let new = state.recent.recorded(after: known?.recent)
        if known == nil || !new.isEmpty { entries = Self.entries(new) }
    }

    /// The state that these parts make of an earlier one.
    package func state(after known: DeviceState) throws(RecordProblem) -> DeviceState {
        var state = known
        if let profile {
            guard let read = DeviceProfile(json: profile), read.apply(to: &state) else {
                throw .badField("profile")
            }
        }
        if let receipts { state.receipts = try Self.receipts(receipts.span) }
        let new = try entries.map { bytes throws(RecordProblem) in try Self.entries(bytes.span) }
        try readPlace(into: &state, new: new ?? [])
        return state
    }

    private static func place(of state: DeviceState) -> [UInt8] {
        var writer = RecordWriter(format: format, capacity: 64)
        writer.integer(state.position.epoch)
        writer.integer(state.position.sequence)
        writer.integer(state.position.check)
        writer.integer(state.nextNumber)
        writer.integer(state.recent.recorded)
        writer.integer(UInt32(state.recent.comparisonsLeft))
        writer.integer(UInt32(state.openGroup?.slots.count ?? 0))
        for slot in state.openGroup?.slots ?? [] { writer.integer(slot) }
        if let group = state.openGroup { writer.integer(group.sequence) }
        return writer.bytes
    }

    private func readPlace(
        into state: inout DeviceState,
        new: [RecentEntries.Entry]
    ) throws(RecordProblem) {
        var reader = try RecordReader(place.span, format: Self.format)
        let epoch = try reader.integer(UInt64.self)
        let sequence = try reader.integer(UInt64.self)
        state.position = Position(epoch: epoch, sequence: sequence, check: try reader.integer())
        state.nextNumber = try reader.integer()
        let recorded = try reader.integer(UInt64.self)
        let comparisonsLeft = Int(try reader.integer(UInt32.self))
        state.recent = RecentEntries(
            entries: state.recent.entries + new,
            recorded: recorded,
            comparisonsLeft: comparisonsLeft
        )
        var slots: [UInt16] = []
        for _ in 0..<(try reader.integer(UInt32.self)) { slots.append(try reader.integer()) }
        state.openGroup = nil
        if !slots.isEmpty {
            state.openGroup = OpenGroup(sequence: try reader.integer(), slots: slots)
        }
        try reader.expectEnd()
    }

    private static func receipts(_ receipts: [Receipt]) -> [UInt8] {
        var writer = RecordWriter(format: format, capacity: 5 + 28 * receipts.count)
        writer.integer(UInt32(receipts.count))
        for receipt in receipts {
            writer.integer(receipt.notification.high)
            writer.integer(receipt.notification.low)
            writer.integer(receipt.event)
            writer.integer(receipt.action)
            writer.integer(receipt.slot)
            writer.integer(receipt.time)
        }
        return writer.bytes
    }

    private static func receipts(_ bytes: Span<UInt8>) throws(RecordProblem) -> [Receipt] {
        var reader = try RecordReader(bytes, format: format)
        var receipts: [Receipt] = []
        for _ in 0..<(try reader.integer(UInt32.self)) {
            let id = try Self.id(&reader)
            let event = try reader.integer(UInt8.self)
            let action = try reader.integer(UInt8.self)
            let slot = try reader.integer(UInt16.self)
            receipts.append(
                Receipt(
                    notification: id,
                    event: event,
                    action: action,
                    slot: slot,
                    time: try reader.integer()
                )
            )
        }
        try reader.expectEnd()
        return receipts
    }

    private static func entries(_ entries: ArraySlice<RecentEntries.Entry>) -> [UInt8] {
        var writer = RecordWriter(format: format, capacity: 5 + 18 * entries.count)
        writer.integer(UInt32(entries.count))
        for entry in entries {
            writer.integer(entry.id.high)
            writer.integer(entry.id.low)
            writer.integer(entry.slot)
        }
        return writer.bytes
    }

    private static func entries(
        _ bytes: Span<UInt8>
    ) throws(RecordProblem) -> [RecentEntries.Entry] {
        var reader = try RecordReader(bytes, format: format)
        var entries: [RecentEntries.Entry] = []
        for _ in 0..<(try reader.integer(UInt32.self)) {
            let id = try Self.id(&reader)
            entries.append(RecentEntries.Entry(id: id, slot: try reader.integer()))
        }
        try reader.expectEnd()
        return entries
    }

    private static func id(_ reader: inout RecordReader) throws(RecordProblem) -> ID16 {
        let high = try reader.integer(UInt64.self)
        return ID16(high: high, low: try reader.integer())
    }
}
