import HubModel
import HubTables
import HubTags
import HubVocabulary

/// Whether the devices that send receipts were sent what they tell of.
///
/// Anybody with a device may send receipts with ids that others have heard of.
struct ReceiptChecks {
    /// The outcome of a check.
    enum Verdict {
        /// The notification was sent to that slot of the device, a registration of this platform.
        case counts(sequence: UInt64, platform: Platform)
        /// It was not, or there is none.
        case ignored
        /// That cannot be found out now.
        case dropped
    }

    /// Reads of one record that a search of the log may take.
    static let readsPerSearch = 16

    private let log: HubLog
    private let registrations: RegistrationTable
    private let outbox: Outbox
    private var lookedUp: LookedUpNotifications

    /// Nothing is remembered yet.
    init(log: HubLog, registrations: RegistrationTable, outbox: Outbox, limits: CoreLimits) {
        self.log = log
        self.registrations = registrations
        self.outbox = outbox
        lookedUp = LookedUpNotifications(sizeMax: limits.telemetry.lookedUpNotificationsMax)
    }

    /// Checks a receipt, with at most so many reads of the store, a search counted as several.
    mutating func verdict(on receipt: DeviceReceipt, reads: inout Int) -> Verdict {
        do throws(StoreError) {
            guard reads > 0 || isKnown(receipt.notification) else { return .dropped }
            guard let found = try find(receipt.notification, reads: &reads) else { return .ignored }
            if receipt.slot == SlotNumber.direct {
                guard case .handles(let handles) = found.target,
                    case .native(let platform) = found.format,
                    handles.contains(where: { Self.isHandle($0, of: receipt.device) })
                else { return .ignored }
                return .counts(sequence: found.sequence, platform: platform)
            }
            let number = registrations.places(of: receipt.device).number(in: receipt.slot)
            guard let number, let facts = registrations.facts(of: number),
                facts.isMeant(by: found.format)
            else { return .ignored }
            guard facts.tagsSince > found.sequence else {
                return hasReached(number, receipt, found)
                    ? .counts(sequence: found.sequence, platform: facts.platform) : .ignored
            }
            // What held at the time of the record is in the store alone.
            guard reads > 0 else { return .dropped }
            reads -= 1
            guard let registration = try registrations[number], found.matches(registration) else {
                return .ignored
            }
            return .counts(sequence: found.sequence, platform: facts.platform)
        } catch {
            outbox.tell(.readRefused(error))
            return .dropped
        }
    }

    /// Whether a notification is found without reading the log.
    private func isKnown(_ id: NotificationID) -> Bool {
        log.recent.find(id)?.isBroadcast == true || lookedUp.find(id) != nil
    }

    private mutating func find(
        _ id: NotificationID,
        reads: inout Int
    ) throws(StoreError) -> RecordHeader? {
        if let known = lookedUp.find(id) { return known }
        if log.recent.covers(id) {
            guard let recent = log.recent.find(id) else { return nil }
            if recent.isBroadcast {
                return RecordHeader(
                    sequence: recent.sequence,
                    id: id,
                    format: recent.format,
                    target: .broadcast,
                    timeToLive: .transient,
                    collapseKey: []
                )
            }
            reads -= 1
        } else {
            reads -= Self.readsPerSearch
        }
        guard let record = try log.record(of: id) else { return nil }
        lookedUp.insert(record.header)
        return record.header
    }

    /// Whether a notification matches a registration whose tags are those of then.
    private func hasReached(
        _ number: RegistrationNumber,
        _ receipt: DeviceReceipt,
        _ found: RecordHeader
    ) -> Bool {
        switch found.target {
        case .broadcast: true
        case .tags(let expression): registrations.matches(expression, number)
        case .handles: false
        case .slots(let targets):
            targets.contains(RegistrationTarget(device: receipt.device, slot: receipt.slot))
        }
    }

    /// Whether a handle names a device: its last 64 digits begin with the device's id.
    private static func isHandle(_ handle: [UInt8], of device: DeviceID) -> Bool {
        let digits = handle.suffix(2 * PushHandle.byteCount).prefix(2 * device.bytes.count)
        return digits.elementsEqual(HexText.encode(device.bytes)) {
            ASCII.lower($0) == ASCII.lower($1)
        }
    }
}
