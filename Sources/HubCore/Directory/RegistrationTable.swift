import HubTags

/// All live registrations of a hub, with every way to find them.
///
/// Changes of a group are made at once and remembered, so that a later command of the same group
/// sees them; when the store refuses the group, `revert` takes them all back. Nobody outside the
/// group may look between the first change and `keep` or `revert`.
struct RegistrationTable: ~Copyable {
    /// Boxed, so that the number of a deleted registration costs one word.
    private final class Row {
        var registration: Registration
        init(_ registration: Registration) { self.registration = registration }
    }

    /// What was there before the group first touched a registration.
    private struct Touched {
        var number: RegistrationNumber
        var before: Registration?
        /// The last state, also when it was made and removed by the same group.
        var last: Registration
        var idWasDeleted: UInt64?
    }

    private var rows: [Row?] = []
    private var byID: [BytesKey: RegistrationNumber] = [:]
    private var deletedIDs = DeletedIDs()
    private var byHandle: [BytesKey: [RegistrationNumber]] = [:]
    private var byDevice: [DeviceID: DevicePlaces] = [:]
    private var tags: TagIndex
    private var touched: [Touched] = []
    private var touchedIndex: [RegistrationNumber: Int] = [:]
    private var numberMaxBefore: UInt32

    /// From where changes of the present group hold.
    var place = LogPlace(epoch: 0, sequence: 0)

    /// The highest number ever given.
    private(set) var numberMax: UInt32
    /// Live registrations.
    private(set) var count = 0
    /// Live registrations whose handle is none of ours.
    private(set) var unknownHandles = 0
    /// Live registrations whose template does not compile.
    private(set) var undeliverable = 0

    /// An empty table that goes on above `numberMax`.
    init(numberMax: UInt32, seed: UInt64) {
        self.numberMax = numberMax
        numberMaxBefore = numberMax
        tags = TagIndex(seed: seed)
    }

    // MARK: Loading

    /// Remembers a deleted registration, gone from `place` on at the latest; to be called before
    /// `load`.
    mutating func loadDeleted(id: [UInt8], target: RegistrationTarget?, by place: UInt64) {
        deletedIDs[BytesKey(id)] = place
        deletedIDs.keep(BytesKey(id))
        if let target { byDevice[target.device, default: DevicePlaces()].remember(target.slot) }
    }

    /// Takes a registration from the store.
    mutating func load(_ registration: Registration) {
        numberMax = max(numberMax, registration.number.raw)
        numberMaxBefore = numberMax
        deletedIDs[BytesKey(registration.id)] = nil
        link(registration)
    }

    // MARK: Changes

    /// Whether a group holds changes.
    var isTouched: Bool { !touched.isEmpty }

    /// How many registrations the group touched.
    var touchedCount: Int { touched.count }

    /// The number of the next new registration; nil when all are used up.
    mutating func makeNumber() -> RegistrationNumber? {
        guard numberMax < .max else { return nil }
        numberMax += 1
        return RegistrationNumber(numberMax)
    }

    /// Inserts or replaces.
    mutating func put(_ registration: Registration) {
        touch(registration)
        unlink(registration.number)
        deletedIDs[BytesKey(registration.id)] = nil
        link(registration)
    }

    /// Removes; the id answers 410 from here on.
    mutating func remove(_ registration: Registration) {
        touch(registration.ended(at: place))
        unlink(registration.number)
        deletedIDs[BytesKey(registration.id)] = place.sequence
    }

    /// What the store is asked to do, in an order in which it can be applied.
    var storedChanges: [StoredChange] {
        touched.map { entry in
            self[entry.number].map(StoredChange.put) ?? .remove(entry.last)
        }
    }

    /// Makes the group's changes final and says what shards must know.
    mutating func keep() -> [RegistrationChange] {
        for entry in touched where self[entry.number] == nil {
            deletedIDs.keep(BytesKey(entry.last.id))
        }
        let changes = touched.compactMap { entry -> RegistrationChange? in
            switch (entry.before, self[entry.number]) {
            case (let before, let after?): .put(after, previous: before)
            case (let before?, nil): .removed(before)
            case (nil, nil): nil
            }
        }
        forgetGroup()
        return changes
    }

    /// Takes the group's changes back.
    mutating func revert() {
        for entry in touched.reversed() {
            unlink(entry.number)
            if let before = entry.before { link(before) }
            deletedIDs[BytesKey(entry.last.id)] = entry.idWasDeleted
        }
        numberMax = numberMaxBefore
        forgetGroup()
    }

    private mutating func touch(_ registration: Registration) {
        let number = registration.number
        if let index = touchedIndex[number] {
            touched[index].last = registration
            return
        }
        touchedIndex[number] = touched.count
        touched.append(
            Touched(
                number: number,
                before: self[number],
                last: registration,
                idWasDeleted: deletedIDs[BytesKey(registration.id)]
            )
        )
    }

    private mutating func forgetGroup() {
        touched.removeAll(keepingCapacity: true)
        touchedIndex.removeAll(keepingCapacity: true)
        numberMaxBefore = numberMax
    }

    // MARK: Queries

    /// The live registration with a number.
    subscript(number: RegistrationNumber) -> Registration? {
        Int(number.raw) < rows.count ? rows[Int(number.raw)]?.registration : nil
    }

    /// The live registration with an external id.
    subscript(id: [UInt8]) -> Registration? { byID[BytesKey(id)].flatMap { self[$0] } }

    /// Whether an id was deleted and is not in use again.
    func isDeleted(_ id: [UInt8]) -> Bool { deletedIDs[BytesKey(id)] != nil }

    /// How many ids that says yes for.
    var deletedCount: Int { deletedIDs.count }

    /// The registrations that lead to a device, ascending by slot.
    func registrations(of device: DeviceID) -> [Registration] {
        byDevice[device]?.places.compactMap { self[$0.number] } ?? []
    }

    /// The slots of a device; empty for one without registrations.
    func places(of device: DeviceID) -> DevicePlaces { byDevice[device] ?? DevicePlaces() }

    /// Numbers of the registrations with a handle in this spelling, or in any case for Apple;
    /// ascending.
    func numbers(handle: [UInt8]) -> [RegistrationNumber] {
        let candidates = byHandle[BytesKey(ASCII.lower(handle))] ?? []
        return candidates.filter { number in
            guard let content = self[number]?.content else { return false }
            return content.platform == .apple || content.handle == handle
        }
    }

    /// Numbers of the registrations with a tag, ascending.
    mutating func numbers(tag: [UInt8]) -> [RegistrationNumber] {
        guard let known = tags.lookup(tag.span) else { return [] }
        var slots: [SlotIndex] = []
        tags.select(nil, within: known, into: &slots)
        return slots.map { RegistrationNumber($0.raw) }
    }

    /// The devices that registrations lead to, ascending.
    var devices: [DeviceID] { byDevice.keys.sorted() }

    /// How many different tags there are.
    var tagCount: Int { tags.tagCount }

    /// Numbers of the registrations that a target selects by their present tags, ascending; none
    /// where it names them itself.
    mutating func numbers(of target: NotificationTarget) -> [RegistrationNumber] {
        var slots: [SlotIndex] = []
        switch target {
        case .broadcast: tags.select(nil, within: nil, into: &slots)
        case .tags(let expression): tags.select(expression, within: nil, into: &slots)
        case .handles, .slots: break
        }
        return slots.map { RegistrationNumber($0.raw) }
    }

    /// How many registrations have a tag, in any spelling.
    func count(tag: Span<UInt8>) -> Int { tags.lookup(tag).map { tags.count(of: $0) } ?? 0 }

    /// Each tag in use, with how many registrations have it; see `TagIndex.forEachTag`.
    func forEachTag(
        from start: UInt32,
        looking count: Int,
        _ body: (Span<UInt8>, Int) -> Void
    ) -> UInt32? {
        tags.forEachTag(from: start, looking: count, body)
    }

    // MARK: What is no longer asked for

    /// Forgets ids of registrations that were gone before the log begins, at most so many; whether
    /// there may be more.
    mutating func forgetDeleted(below first: UInt64, limit: Int) -> Bool {
        deletedIDs.forget(below: first, limit: limit)
    }

    /// Forgets former tags that no record of the log can ask for, of so many numbers above one.
    ///
    /// Not within a group. Returns the last of these numbers; nil when there are no more.
    mutating func forgetFormerTags(
        after number: RegistrationNumber,
        looking count: Int,
        below first: UInt64
    ) -> RegistrationNumber? {
        let end = min(Int(number.raw) + count, rows.count - 1)
        guard Int(number.raw) < end else { return nil }
        for index in Int(number.raw) + 1...end {
            rows[index]?.registration.forgetFormerTags(below: first)
        }
        return end < rows.count - 1 ? RegistrationNumber(UInt32(end)) : nil
    }

    // MARK: Indexes

    private mutating func link(_ registration: Registration) {
        let number = registration.number
        let index = Int(number.raw)
        if index >= rows.count {
            rows.append(contentsOf: repeatElement(nil, count: index + 1 - rows.count))
        }
        rows[index] = Row(registration)
        byID[BytesKey(registration.id)] = number
        let key = BytesKey(ASCII.lower(registration.content.handle))
        let place = byHandle[key]?.firstIndex { $0 > number } ?? byHandle[key]?.count ?? 0
        byHandle[key, default: []].insert(number, at: place)
        if let target = registration.target {
            byDevice[target.device, default: DevicePlaces()].take(target.slot, number)
        }
        var ids: [TagID] = []
        let all = registration.tags
        for index in 0..<all.count { ids.append(tags.intern(all.tag(at: index))) }
        tags.insert(SlotIndex(raw: number.raw), tags: ids)
        tally(registration, by: 1)
    }

    private mutating func unlink(_ number: RegistrationNumber) {
        guard let registration = self[number] else { return }
        rows[Int(number.raw)] = nil
        let id = BytesKey(registration.id)
        if byID[id] == number { byID[id] = nil }
        let key = BytesKey(ASCII.lower(registration.content.handle))
        byHandle[key]?.removeAll { $0 == number }
        if byHandle[key]?.isEmpty == true { byHandle[key] = nil }
        if let target = registration.target {
            byDevice[target.device]?.free(target.slot, number)
            if byDevice[target.device]?.isForgettable == true { byDevice[target.device] = nil }
        }
        tags.remove(SlotIndex(raw: number.raw))
        tally(registration, by: -1)
    }

    private mutating func tally(_ registration: Registration, by step: Int) {
        count += step
        if registration.target == nil { unknownHandles += step }
        if registration.content.template != nil, registration.template == nil {
            undeliverable += step
        }
    }
}

extension RegistrationTable {
    /// Live registrations above a number, ascending, until `body` says no; looks at so many numbers,
    /// living or not.
    ///
    /// - Returns: the last number looked at; nil when there are no more.
    @discardableResult
    func forEach(
        after number: RegistrationNumber,
        looking count: Int,
        _ body: (Registration) -> Bool
    ) -> RegistrationNumber? {
        var raw = number.raw
        var left = count
        while raw < numberMax, left > 0 {
            raw += 1
            left -= 1
            guard let registration = self[RegistrationNumber(raw)] else { continue }
            if !body(registration) { break }
        }
        return raw < numberMax ? RegistrationNumber(raw) : nil
    }

    /// At most how many registrations a target selects, without looking at them.
    func bound(of target: NotificationTarget) -> Int {
        switch target {
        case .broadcast: count
        case .tags(let expression):
            expression.cover { count(tag: expression.tag(at: $0)) }?.cost ?? count
        case .handles(let handles): handles.count
        case .slots(let targets): targets.count
        }
    }
}
