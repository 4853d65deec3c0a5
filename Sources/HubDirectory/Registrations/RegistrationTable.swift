package import HubModel
import HubTables
import HubTags
package import HubVocabulary

/// All live registrations of a hub, with every way to find them.
///
/// In memory are indexes and what decides about most of the work; a whole registration is read from
/// the store when it is asked for. Changes of a group are made at once and remembered, so that a
/// later command of the same group sees them. Only the group may look between the first change and
/// `settle`.
package final class RegistrationTable: GroupPart {
    /// A registration that the group has changed.
    private struct Touched {
        var number: RegistrationNumber
        /// The registration as the store has it.
        var before: Registration?
        /// The registration as it is now; nil when it is gone.
        var present: Registration?
        /// The last state, also when it was made and removed by the same group.
        var last: Registration
    }

    /// How many live registrations there are.
    private struct Totals {
        var all = 0
        var unknownHandles = 0
        var undeliverable = 0
    }

    private(set) var rows: StoredRegistrations
    private(set) var columns = RegistrationColumns()
    private let hash: TagHash
    private var byID = NumberIndex()
    /// By the handle in lower case.
    private var byHandle = NumberIndex()
    private var byDevice = NumberIndex()
    private(set) var tags: TagIndex
    /// The tags of the registration that is being linked; kept for its memory.
    private var linked: [TagID] = []
    private var loading = RegistrationLoading()
    private var touched: [Touched] = []
    private var touchedIndex: [RegistrationNumber: Int] = [:]
    /// The slots that the store's deleted registrations had last, of devices that the group asked
    /// for; a device that had none is there too.
    private var deletedPlaces: [DeviceID: DevicePlaces.Place?] = [:]
    private var numberMaxBefore: UInt32

    /// From where changes of the present group hold.
    private var place = LogPlace(epoch: 0, sequence: 0)

    /// The highest number ever given.
    package private(set) var numberMax: UInt32
    private var totals = Totals()

    /// An empty table that goes on above `numberMax`.
    init(numberMax: UInt32, seed: UInt64, rows: StoredRegistrations) {
        self.numberMax = numberMax
        self.rows = rows
        numberMaxBefore = numberMax
        hash = TagHash(seed: seed)
        tags = TagIndex(seed: seed)
    }

    /// Live registrations.
    var count: Int { totals.all }
    /// How many registrations lead to a device of the hub.
    var countOnDevices: Int { byDevice.count }

    /// Live registrations with a handle of another service.
    var unknownHandles: Int { totals.unknownHandles }

    /// Live registrations whose template does not compile.
    var undeliverable: Int { totals.undeliverable }

    // MARK: Loading

    /// Enters a registration that the store has; `bytes` are those of the outline.
    ///
    /// No query may run before `finishLoading`.
    func load(
        _ outline: RegistrationOutline,
        _ bytes: Span<UInt8>,
        isUndeliverable: Bool
    ) {
        let number = outline.number
        numberMax = max(numberMax, number.raw)
        numberMaxBefore = numberMax
        let facts = RegistrationFacts(outline, isUndeliverable: isUndeliverable)
        columns.put(facts, at: number)
        tally(facts, by: 1)
        loading.add(outline, bytes, hash: hash, tags: &tags)
        if loading.isFull { enterLoaded() }
    }

    /// Makes what was loaded ready to be asked for.
    func finishLoading() {
        enterLoaded()
        loading.tags.finish(&tags)
        loading = RegistrationLoading()
    }

    private func enterLoaded() {
        byID.insert(contentsOf: loading.ids)
        byHandle.insert(contentsOf: loading.handles)
        byDevice.insert(contentsOf: loading.devices)
        loading.removeAll()
    }

    // MARK: Following

    /// Enters a registration that another node's hub has stored, in place of what its number stood
    /// for.
    func follow(_ registration: Registration, instead before: Registration?) {
        if let before { unlink(before) }
        link(registration)
        numberMax = max(numberMax, registration.number.raw)
        numberMaxBefore = numberMax
    }

    /// Removes a live registration that another node's hub has removed.
    func follow(removalOf before: Registration) { unlink(before) }

    /// Belongs to a hub with a store from now on, which has given numbers up to `numberMax`.
    func begin(on rows: StoredRegistrations, numberMax: UInt32) {
        self.rows = rows
        self.numberMax = max(self.numberMax, numberMax)
        numberMaxBefore = self.numberMax
    }

    // MARK: Changes

    /// A group begins, whose changes hold from a place on.
    func begin(at place: LogPlace) {
        self.place = place
        deletedPlaces.removeAll(keepingCapacity: true)
    }

    /// How many registrations the group touched.
    var touchedCount: Int { touched.count }

    /// Frees the ids of tags that no registration has any more.
    func forgetUnusedTags() { tags.forgetUnused() }

    /// The number of the next new registration; nil when all are used up.
    func makeNumber() -> RegistrationNumber? {
        guard numberMax < .max else { return nil }
        numberMax += 1
        return RegistrationNumber(numberMax)
    }

    /// Enters a new registration, or puts it in place of what its number stood for.
    func put(_ registration: Registration, instead before: Registration?) {
        let number = registration.number
        precondition(
            before?.number ?? number == number && (before != nil) == columns.isLive(number),
            "registration \(number.raw) is put in place of another state than the present one"
        )
        touch(registration, before: before, present: registration)
        if let before { unlink(before) }
        link(registration)
    }

    /// Removes a registration as it is now; the id answers 410 from here on.
    func remove(_ registration: Registration) {
        let number = registration.number
        precondition(columns.isLive(number), "registration \(number.raw) is removed twice")
        touch(registration.ended(at: place), before: registration, present: nil)
        unlink(registration)
    }

    var storedChanges: [StoredChange] {
        touched.map { entry in entry.present.map(StoredChange.put) ?? .remove(entry.last) }
    }

    func settle(_ outcome: GroupOutcome, _ news: inout GroupNews) {
        if outcome.areChangesDurable { keep(&news) } else { revert() }
    }

    private func keep(_ news: inout GroupNews) {
        news.registrations += touched.compactMap { entry -> RegistrationChange? in
            switch (entry.before, entry.present) {
            case (let before, let after?): .put(after, previous: before)
            case (let before?, nil): .removed(before)
            case (nil, nil): nil
            }
        }
        for entry in touched {
            if let present = entry.present {
                rows.remember(present)
            } else {
                rows.forget(entry.number)
            }
        }
        forgetGroup()
    }

    private func revert() {
        for entry in touched.reversed() {
            if let present = entry.present { unlink(present) }
            if let before = entry.before { link(before) }
        }
        numberMax = numberMaxBefore
        forgetGroup()
    }

    private func touch(
        _ last: Registration,
        before: Registration?,
        present: Registration?
    ) {
        let number = last.number
        if let index = touchedIndex[number] {
            touched[index].last = last
            touched[index].present = present
            return
        }
        touchedIndex[number] = touched.count
        touched.append(Touched(number: number, before: before, present: present, last: last))
    }

    private func forgetGroup() {
        touched.removeAll(keepingCapacity: true)
        touchedIndex.removeAll(keepingCapacity: true)
        deletedPlaces.removeAll(keepingCapacity: true)
        numberMaxBefore = numberMax
    }

    // MARK: Registrations

    /// The live registrations with these numbers, in this order, as the group has them; numbers of
    /// others are left out.
    ///
    /// A caller that goes through many says that they need not be remembered.
    package func registrations(
        _ numbers: [RegistrationNumber],
        remembers: Bool = true
    ) throws(StoreError) -> [Registration] {
        var found = [Registration?](repeating: nil, count: numbers.count)
        var missing: [RegistrationNumber] = []
        var places: [Int] = []
        for (place, number) in numbers.enumerated() {
            if let index = touchedIndex[number] {
                found[place] = touched[index].present
            } else if let known = columns.isLive(number) ? rows.recall(number) : nil {
                found[place] = known
            } else if columns.isLive(number) {
                missing.append(number)
                places.append(place)
            }
        }
        let read = try rows.read(missing, remembers: remembers)
        // A caller that goes through many finds few of them in memory.
        if read.count == numbers.count { return read }
        for (place, registration) in zip(places, read) { found[place] = registration }
        return found.compactMap { $0 }
    }

    /// The live registration with a number.
    subscript(number: RegistrationNumber) -> Registration? {
        get throws(StoreError) { try registrations([number]).first }
    }

    /// The live registration with an external id.
    package subscript(id: [UInt8]) -> Registration? {
        get throws(StoreError) {
            for number in byID.numbers(hash: hash.exactValue(of: id.span)) {
                if let found = try self[number], found.id == id { return found }
            }
            return nil
        }
    }

    /// Whether an id that no live registration has was deleted.
    func isDeleted(_ id: [UInt8]) throws(StoreError) -> Bool {
        if touched.contains(where: { $0.present == nil && $0.last.id == id }) { return true }
        return try rows.wasDeleted(id)
    }

    /// Whether a live registration may have an id; false is certain.
    func mayHave(id: [UInt8]) -> Bool {
        !byID.numbers(hash: hash.exactValue(of: id.span)).isEmpty
    }

    /// The registrations that lead to a device, ascending by slot.
    package func registrations(of device: DeviceID) throws(StoreError) -> [Registration] {
        try registrations(numbers(of: device))
    }

    /// The numbers of the registrations that lead to a device, ascending by slot.
    package func numbers(of device: DeviceID) -> [RegistrationNumber] {
        places(of: device).places.map(\.number)
    }

    /// As `registrations(of:)`, for who had them earlier in the group: what was not touched since
    /// is among those.
    func registrations(of device: DeviceID, knowing known: [Registration]) -> [Registration] {
        places(of: device).places.compactMap { place in
            if let index = touchedIndex[place.number] { return touched[index].present }
            return known.first { $0.number == place.number }
        }
    }

    /// Numbers of the registrations with a handle in this spelling, or in any case for Apple;
    /// ascending.
    package func numbers(handle: [UInt8]) throws(StoreError) -> [RegistrationNumber] {
        let candidates = byHandle.numbers(hash: hash.value(of: handle.span))
        return try registrations(candidates).compactMap { found in
            let content = found.content
            let isSame =
                content.platform == .apple
                ? ASCII.equal(content.handle, handle) : content.handle == handle
            return isSame ? found.number : nil
        }
    }

    /// Numbers of a range whose handle is one of these in just this spelling, ascending.
    package func numbers(
        handles: [[UInt8]],
        in range: ClosedRange<UInt32>
    ) throws(StoreError) -> [RegistrationNumber] {
        let candidates = handles.reduce(into: Set<RegistrationNumber>()) { found, handle in
            found.formUnion(byHandle.numbers(hash: hash.value(of: handle.span)))
        }
        let numbers = candidates.filter { range.contains($0.raw) }.sorted()
        return try registrations(numbers, remembers: false)
            .filter { handles.contains($0.content.handle) }.map(\.number)
    }

    // MARK: Places

    /// The registration in a slot of a device.
    package func number(of target: RegistrationTarget) -> RegistrationNumber? {
        places(of: target.device).number(in: target.slot)
    }

    /// The slots of a device; empty for one without registrations.
    func places(of device: DeviceID) -> DevicePlaces {
        let numbers = byDevice.numbers(hash: hash.value(high: device.high, low: device.low))
        return DevicePlaces(
            numbers.compactMap { number in
                guard let target = columns.target(of: number), target.device == device
                else { return nil }
                return DevicePlaces.Place(slot: target.slot, number: number)
            }
        )
    }

    /// Asks the store which slots of a device were in use: to be called before `nextSlot` in each
    /// group.
    func learnSlots(of device: DeviceID) throws(StoreError) {
        guard deletedPlaces[device] == nil else { return }
        deletedPlaces.updateValue(try rows.lastDeletedPlace(of: device), forKey: device)
    }

    /// The slot that the hub gives a device next; nil when all are taken.
    func nextSlot(of device: DeviceID) -> UInt16? {
        guard let deleted = deletedPlaces[device] else {
            preconditionFailure("a slot is given before the store was asked for those in use")
        }
        let places = places(of: device)
        var last = [places.lastGiven, deleted].compactMap { $0 }
        for entry in touched where entry.present == nil {
            guard let target = entry.last.target, target.device == device,
                target.slot >= SlotNumber.hubFirst
            else { continue }
            last.append(DevicePlaces.Place(slot: target.slot, number: entry.number))
        }
        return places.nextFree(behind: last.max { $0.number < $1.number }?.slot)
    }

    // MARK: Tags

    /// The numbers that a selection of the tag index names, ascending.
    func select(
        _ expression: TagExpression?,
        within tag: TagID?
    ) -> [RegistrationNumber] {
        var slots: [SlotIndex] = []
        tags.select(expression, within: tag, into: &slots)
        return slots.map { RegistrationNumber($0.raw) }
    }

    // MARK: Indexes

    private func link(_ registration: Registration) {
        let number = registration.number
        enter(
            number,
            RegistrationFacts(registration),
            id: registration.id.span,
            handle: registration.content.handle.span
        )
        let all = registration.tags
        for index in 0..<all.count { linked.append(tags.intern(all.tag(at: index))) }
        tag(number)
    }

    /// Enters a registration into all indexes but that of the tags.
    private func enter(
        _ number: RegistrationNumber,
        _ facts: RegistrationFacts,
        id: Span<UInt8>,
        handle: Span<UInt8>
    ) {
        columns.put(facts, at: number)
        byID.insert(number, hash: hash.exactValue(of: id))
        byHandle.insert(number, hash: hash.value(of: handle))
        if let device = facts.target?.device {
            byDevice.insert(number, hash: hash.value(high: device.high, low: device.low))
        }
        tally(facts, by: 1)
    }

    /// Gives a registration the tags in `linked`.
    private func tag(_ number: RegistrationNumber) {
        tags.insert(SlotIndex(raw: number.raw), tags: linked)
        linked.removeAll(keepingCapacity: true)
    }

    private func unlink(_ registration: Registration) {
        let number = registration.number
        guard let facts = columns[number] else { return }
        columns.remove(number)
        byID.remove(number, hash: hash.exactValue(of: registration.id.span))
        byHandle.remove(number, hash: hash.value(of: registration.content.handle.span))
        if let device = facts.target?.device {
            byDevice.remove(number, hash: hash.value(high: device.high, low: device.low))
        }
        tags.remove(SlotIndex(raw: number.raw))
        tally(facts, by: -1)
    }

    private func tally(_ facts: RegistrationFacts, by step: Int) {
        totals.all += step
        if facts.target == nil { totals.unknownHandles += step }
        if facts.isUndeliverable { totals.undeliverable += step }
    }
}
