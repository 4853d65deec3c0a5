import HubModel
import HubTags
import HubTemplates
import HubVocabulary

/// The rules, kept as simply as possible beside the hub: the durable records, their matches, and
/// the deliveries that devices are owed.
///
/// It is told of a group when the disk has it, and of nothing before; whatever the hub says or
/// sends has to agree with it.
final class Ledger {
    /// A registration as of now.
    struct Row {
        var number: UInt32
        var version: UInt64
        var device: DeviceID?
        var slot: UInt16
        var platform: Platform
        var template: [UInt8]?
        var tags: Set<String>
        /// The lowest place from which it gets anything.
        var since: UInt64
    }

    /// One registration that matched a record.
    struct Match {
        var slot: UInt16
        /// 0 for a direct send.
        var number: UInt32
        var platform: Platform
        var isTemplate: Bool
        /// The device dropped it, because by its reckoning it had expired.
        var wasDropped = false
        /// A device stored it at some time.
        var wasStored = false
    }

    /// A record that was accepted at some time, whatever became of it.
    struct Record {
        var sequence: UInt64
        var id: NotificationID
        var format: NotificationFormat
        var body: [UInt8]
        var text: Int
        /// When it was accepted, in microseconds of the simulation.
        var time: UInt64
        var isTransient: Bool
        var collapseKey: [UInt8]
        var schedule: ScheduleID?
        var expires: Timestamp
        /// The hub's clock has passed its expiry at some time.
        var hasExpired = false
        /// Its history was replaced by an older one.
        var isLost = false
        /// Matches that some device stored.
        var stored: UInt64 = 0
    }

    /// The facts about one identity.
    struct Device {
        /// Matches by record.
        var matches: [Int: [Match]] = [:]
        /// Records with matches that were not found delivered yet, ascending.
        var open: [Int] = []
        /// Everything at or below was declared lost, and places that were.
        var lostThrough: UInt64 = 0
        /// The highest place that the device ever had stored everything up to.
        var storedThrough: UInt64 = 0
        var losses: [ClosedRange<UInt64>] = []

        /// Numbers above are given anew.
        mutating func forgetLosses(after head: UInt64) {
            lostThrough = min(lostThrough, head)
            losses = losses.compactMap { loss in
                loss.lowerBound > head ? nil : loss.lowerBound...min(loss.upperBound, head)
            }
        }
    }

    /// The durable state; a backup keeps it.
    struct History {
        /// `log[n - 1]` is the record at `n`.
        fileprivate(set) var log: [Int] = []
        /// The lowest place that the log still holds.
        fileprivate(set) var first: UInt64 = 1
        /// The highest that it was: a node's copy may hold more than another's held before.
        fileprivate(set) var firstMost: UInt64 = 1
        fileprivate(set) var epochs: [LogPlace] = []
        /// The operators' settings; nil for the defaults.
        fileprivate(set) var settings: HubSettings?
        fileprivate(set) var rows: [UInt32: Row] = [:]
        /// By `Installation.key`.
        fileprivate(set) var installations: [[UInt8]: Installation] = [:]
        /// How often each text is in the log.
        fileprivate(set) var recorded: [Int: Int] = [:]
        /// The text of the log that has an idempotency key.
        fileprivate(set) var keyed: [KeyHash: Int] = [:]
    }

    private(set) var history = History()
    private(set) var records: [Record] = []
    private var byID: [NotificationID: Int] = [:]
    /// Records that were removed from the log, whatever came back with an older disk.
    private(set) var trimmed = 0
    /// When a registration was removed, in microseconds.
    private(set) var removed: [UInt32: UInt64] = [:]
    /// Registrations that were removed and that an older disk brought back, with that disk's head: a
    /// device may have come past what they matched while they were gone.
    private(set) var revived: [UInt32: UInt64] = [:]
    /// Every template a registration had.
    private(set) var templates: [UInt32: [[UInt8]]] = [:]
    /// Devices whose tag history was cut at some time.
    private(set) var cut: Set<DeviceID> = []
    var devices: [DeviceID: Device] = [:]
    /// Texts and formulas of the workload.
    var formulas: [String: Formula] = [:]
    var texts: [[UInt8]: Int] = [:]
    var handles: [[UInt8]: DeviceID] = [:]
    /// Violations found while taking a group.
    var violations: [String] = []

    // MARK: What is durable

    /// An epoch begins.
    func begin(_ epoch: UInt64) {
        history.epochs.append(LogPlace(epoch: epoch, sequence: UInt64(history.log.count) + 1))
    }

    /// Numbers below a place are left out: no record has them.
    func leaveOut(below place: UInt64) {
        while UInt64(history.log.count) + 1 < place {
            let last = history.log.last.map { records[$0].id }
            let record = Record(
                sequence: UInt64(history.log.count) + 1,
                id: last ?? NotificationID(high: 0, low: 0),
                format: .template,
                body: [],
                text: -1,
                time: 0,
                isTransient: true,
                collapseKey: [],
                schedule: nil,
                expires: Timestamp(milliseconds: 0),
                hasExpired: true,
                isLost: true
            )
            history.log.append(records.count)
            records.append(record)
        }
    }

    /// The hub is opened with another copy, which may hold more or less of what may go.
    func reopen(from first: UInt64) {
        history.first = first
        history.firstMost = max(history.firstMost, first)
    }

    /// Changes are on the disk.
    func apply(_ changes: [StoredChange], time: UInt64) {
        for change in changes {
            switch change {
            case .put(let registration):
                let number = registration.number.raw
                let template = registration.content.template?.body
                removed[number] = nil
                history.rows[number] = Row(
                    number: number,
                    version: registration.version,
                    device: registration.target?.device,
                    slot: registration.target?.slot ?? 0,
                    platform: registration.content.platform,
                    template: template,
                    tags: Self.words(registration.tags),
                    since: registration.since.sequence
                )
                if let template { templates[number, default: []].append(template) }
                if registration.historyCut != nil, let device = registration.target?.device {
                    cut.insert(device)
                }
            case .remove(let registration):
                history.rows[registration.number.raw] = nil
                removed[registration.number.raw] = time
            case .putInstallation(let installation):
                history.installations[installation.key] = installation
            case .removeInstallation(let installation):
                history.installations[installation.key] = nil
            case .putSettings(let changed): history.settings = changed
            default: break
            }
        }
    }

    static func words(_ tags: TagSet) -> Set<String> {
        var words: Set<String> = []
        for index in 0..<tags.count {
            let span = tags.tag(at: index)
            var word: [UInt8] = []
            for position in span.indices { word.append(span[position]) }
            words.insert(String(decoding: word, as: UTF8.self).lowercased())
        }
        return words
    }

    /// Records are on the disk.
    func append(_ added: [NotificationRecord], time: UInt64) {
        for record in added {
            if record.sequence != UInt64(history.log.count) + 1 {
                violations.append("record \(record.sequence) stored at \(history.log.count + 1)")
            }
            let text = texts[record.draft.body] ?? -1
            let index = records.count
            records.append(
                Record(
                    sequence: record.sequence,
                    id: record.id,
                    format: record.draft.format,
                    body: record.draft.body,
                    text: text,
                    time: time,
                    isTransient: record.isTransient,
                    collapseKey: record.draft.collapseKey,
                    schedule: record.schedule,
                    expires: record.expires
                )
            )
            if byID.updateValue(index, forKey: record.id) != nil {
                violations.append("two records have the id \(record.id)")
            }
            history.log.append(index)
            history.recorded[text, default: 0] += 1
            if history.recorded[text] != 1 {
                violations.append("text \(text) is in the log twice, again at \(record.sequence)")
            }
            if let key = record.draft.idempotency?.scope {
                if let other = history.keyed[key], other != text {
                    violations.append("texts \(other) and \(text) are in the log with one key")
                }
                history.keyed[key] = text
            }
            match(record, index)
        }
    }

    private func match(_ record: NotificationRecord, _ index: Int) {
        switch record.draft.target {
        case .handles(let named):
            guard case .native(let platform) = record.draft.format else { return }
            // A device that is named twice is meant once.
            for device in Set(named.compactMap { handles[$0] }) {
                let slot = SlotNumber.direct
                owe(
                    device,
                    index,
                    Match(slot: slot, number: 0, platform: platform, isTemplate: false)
                )
            }
        case .broadcast: matchRows(record, index, nil)
        case .tags(let expression):
            guard let formula = formulas[String(decoding: expression.source, as: UTF8.self)] else {
                violations.append("an expression that nobody sent")
                return
            }
            matchRows(record, index, formula)
        case .slots: violations.append("a test send that nobody sent")
        }
    }

    private func matchRows(
        _ record: NotificationRecord,
        _ index: Int,
        _ formula: Formula?
    ) {
        for row in history.rows.values {
            guard let device = row.device else { continue }
            switch record.draft.format {
            case .native(let platform):
                guard row.template == nil, row.platform == platform else { continue }
            case .template: guard row.template != nil else { continue }
            }
            if let formula, !formula.holds(row.tags) { continue }
            owe(
                device,
                index,
                Match(
                    slot: row.slot,
                    number: row.number,
                    platform: row.platform,
                    isTemplate: row.template != nil
                )
            )
        }
    }

    private func owe(_ device: DeviceID, _ index: Int, _ match: Match) {
        if devices[device]?.matches[index] == nil {
            devices[device, default: Device()].open.append(index)
        }
        devices[device]?.matches[index, default: []].append(match)
    }

    // MARK: What is gone

    /// Records have left the log: only old ones that are owed to no device may.
    ///
    /// Source: rules B.3, B.6.
    func trim(_ removed: ClosedRange<UInt64>, now: Timestamp, kept: UInt64) {
        if removed.lowerBound != history.first || removed.upperBound > UInt64(history.log.count) {
            violations.append(
                "\(removed) leave a log from \(history.first) to \(history.log.count)"
            )
            return
        }
        for place in removed where place > history.settings?.purgedThrough ?? 0 {
            let record = records[history.log[Int(place) - 1]]
            guard !record.isLost else { continue }
            if !record.hasExpired, record.expires >= now {
                violations.append("record \(place) leaves the log and has not expired")
            }
            if record.id.time.adding(seconds: kept) > now {
                violations.append("record \(place) leaves the log too early to be explained")
            }
        }
        history.first = removed.upperBound + 1
        history.firstMost = max(history.firstMost, history.first)
        trimmed += removed.count
    }

    // MARK: Copies

    /// The disk is an older one again; what it does not have is lost.
    func restore(_ copy: History) {
        for index in history.log[copy.log.count...] { records[index].isLost = true }
        for number in copy.rows.keys where history.rows[number] == nil {
            revived[number] = UInt64(copy.log.count)
        }
        history = copy
        for device in devices.keys {
            devices[device]?.forgetLosses(after: UInt64(copy.log.count))
        }
        removed = removed.filter { copy.rows[$0.key] == nil }
    }

    // MARK: Notes

    /// The number of the record with an id.
    func index(of id: NotificationID) -> Int? { byID[id] }

    /// The hub's clock is about to go back: what has expired has expired.
    func noteExpired(at time: Timestamp) {
        for index in records.indices where records[index].expires <= time {
            records[index].hasExpired = true
        }
    }

    /// A device dropped a match that had expired.
    func noteDropped(_ device: DeviceID, _ record: Int, _ match: Int) {
        devices[device]?.matches[record]?[match].wasDropped = true
    }

    /// A device stored a match; counts the first time.
    func noteStored(_ device: DeviceID, _ record: Int, _ match: Int) {
        guard devices[device]?.matches[record]?[match].wasStored == false else { return }
        devices[device]?.matches[record]?[match].wasStored = true
        records[record].stored += 1
    }
}
