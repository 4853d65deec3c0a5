import Crypto
import FoundationEssentials
import HubParcel
import HubWire

/// The content of a device's file.
///
///     belfry-device 1 <SHA-256 of the rest, in hex> \n JSON
///
/// The checksum tells a damaged file from a good one before anything in it is believed.
enum DeviceRecord {
    private static let mark = "belfry-device "
    private static let version = 1

    static func encode(_ content: StoredContent) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Only numbers that are not finite have no JSON, and there is none of floating point.
        guard let json = try? encoder.encode(StateRecord(content)) else {
            preconditionFailure("a device's state has only values that JSON can hold")
        }
        return Array("\(mark)\(version) \(digest(of: Array(json)))\n".utf8) + json
    }

    static func decode(
        _ bytes: [UInt8],
        path: String
    ) throws(DeviceStoreError) -> StoredContent {
        guard bytes.starts(with: mark.utf8) else { throw .notADeviceFile(path: path) }
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            throw .damaged(path: path, reason: "the first line is cut")
        }
        let line = String(decoding: bytes[..<end], as: UTF8.self)
        let words = line.dropFirst(mark.count).split(separator: " ")
        guard words.count == 2, let written = Int(words[0]) else {
            throw .damaged(path: path, reason: "the first line cannot be read")
        }
        guard written == version else {
            throw .versionUnsupported(path: path, version: written)
        }
        let json = Array(bytes[(end + 1)...])
        guard words[1] == digest(of: json) else {
            throw .damaged(path: path, reason: "the checksum does not fit")
        }
        let record: StateRecord
        do {
            record = try JSONDecoder().decode(StateRecord.self, from: Data(json))
        } catch {
            throw .damaged(path: path, reason: "the content cannot be read")
        }
        guard let content = record.content else {
            throw .damaged(path: path, reason: "a field is out of range")
        }
        return content
    }

    private static func digest(of bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

private struct StateRecord: Codable {
    var deviceID: String?
    var key: Data?
    var handle: Data?
    var epoch: UInt64
    var sequence: UInt64
    var check: UInt32
    var groupSequence: UInt64?
    var groupSlots: [UInt16]?
    var etag: UInt64
    var choices: [ChoiceRecord]
    var removals: [UInt16]
    var recent: [EntryRecord]
    var comparisonsLeft: Int
    var receipts: [ReceiptRecord]
    var keepAlive: KeepAlive?
    var nextNumber: UInt64
    var waiting: [KeptNotification]

    init(_ content: StoredContent) {
        let state = content.state
        deviceID = state.identity?.id.uuidText
        key = state.identity.map { Data($0.key) }
        handle = state.identity.map { Data($0.handle) }
        epoch = state.position.epoch
        sequence = state.position.sequence
        check = state.position.check
        groupSequence = state.openGroup?.sequence
        groupSlots = state.openGroup?.slots
        etag = state.etag
        choices = state.choices.map(ChoiceRecord.init)
        removals = state.removals
        recent = state.recent.entries.map { EntryRecord(id: $0.id.uuidText, slot: $0.slot) }
        comparisonsLeft = state.recent.comparisonsLeft
        receipts = state.receipts.map(ReceiptRecord.init)
        keepAlive = state.keepAlive
        nextNumber = state.nextNumber
        waiting = content.waiting.map(KeptNotification.init)
    }

    var content: StoredContent? {
        var state = DeviceState()
        if let deviceID {
            guard let id = ID16(uuidText: deviceID), let key, let handle,
                key.count == WireLimits.deviceKeyBytes, handle.count == WireLimits.handleBytes
            else { return nil }
            state.identity = DeviceIdentity(id: id, key: Array(key), handle: Array(handle))
        }
        state.position = LinkPosition(epoch: epoch, sequence: sequence, check: check)
        if let groupSequence, let groupSlots {
            state.openGroup = OpenGroup(sequence: groupSequence, slots: groupSlots)
        }
        state.etag = etag
        state.choices = choices.compactMap(\.content)
        state.removals = removals
        let entries = recent.compactMap { entry in
            ID16(uuidText: entry.id).map { RecentEntries.Entry(id: $0, slot: entry.slot) }
        }
        state.recent = RecentEntries(entries: entries, comparisonsLeft: comparisonsLeft)
        state.receipts = receipts.compactMap(\.content)
        state.keepAlive = keepAlive
        state.nextNumber = nextNumber
        let notifications = waiting.compactMap(\.content)
        guard state.choices.count == choices.count, entries.count == recent.count,
            state.receipts.count == receipts.count, notifications.count == waiting.count
        else { return nil }
        return StoredContent(state: state, waiting: notifications)
    }
}

private struct EntryRecord: Codable {
    var id: String
    var slot: UInt16
}

private struct ChoiceRecord: Codable {
    var slot: UInt16
    var platform: UInt8
    var tags: [String]
    var lifetimeSeconds: UInt32
    var isConfirmed: Bool
    var templateName: String?
    var templateExpiry: String?
    var templateHeaders: [[String]]?
    var templateBody: Data?

    init(_ slot: SlotChoice) {
        self.slot = slot.choice.slot
        platform = slot.choice.platform.rawValue
        tags = slot.choice.tags
        lifetimeSeconds = slot.choice.lifetimeSeconds
        isConfirmed = slot.isConfirmed
        templateName = slot.choice.template?.name
        templateExpiry = slot.choice.template?.expiry
        templateHeaders = slot.choice.template?.headers.map { [$0.name, $0.value] }
        templateBody = slot.choice.template.map { Data($0.body) }
    }

    var content: SlotChoice? {
        guard let platform = DevicePlatform(rawValue: platform) else { return nil }
        var template: TemplateMessage?
        if let templateName, let templateBody {
            let headers = templateHeaders ?? []
            guard headers.allSatisfy({ $0.count == 2 }) else { return nil }
            template = TemplateMessage(
                name: templateName,
                expiry: templateExpiry ?? "",
                headers: headers.map { TemplateMessage.Header(name: $0[0], value: $0[1]) },
                body: Array(templateBody)
            )
        }
        let choice = RegistrationChoice(
            slot: slot,
            platform: platform,
            tags: tags,
            template: template,
            lifetimeSeconds: lifetimeSeconds
        )
        return SlotChoice(choice: choice, isConfirmed: isConfirmed)
    }
}

private struct ReceiptRecord: Codable {
    var id: String
    var event: UInt8
    var action: UInt8
    var slot: UInt16
    var time: UInt64

    init(_ receipt: Receipt) {
        id = receipt.notification.uuidText
        event = receipt.event
        action = receipt.action
        slot = receipt.slot
        time = receipt.time
    }

    var content: Receipt? {
        ID16(uuidText: id).map {
            Receipt(notification: $0, event: event, action: action, slot: slot, time: time)
        }
    }
}

private struct KeptNotification: Codable {
    var number: UInt64
    var id: String
    var sequence: UInt64
    var slot: UInt16
    var platform: UInt8?
    var flags: [Bool]
    var urgency: UInt8
    var contentType: UInt8
    var collapseKey: String
    var headers: [[String]]
    var tags: [String]
    var payload: Data
    var wireBytes: Int
    var receivedAt: UInt64

    init(_ notification: ReceivedNotification) {
        number = notification.number
        id = notification.id.uuidText
        sequence = notification.sequence ?? 0
        slot = notification.slot
        platform = notification.platform?.rawValue
        flags = [
            notification.isTemplate, notification.isSilent, notification.isRedelivered,
            notification.wantsUserReceipt,
        ]
        urgency = notification.urgency.rawValue
        contentType = notification.contentType.rawValue
        collapseKey = notification.collapseKey
        headers = notification.headers.map { [$0.name, $0.value] }
        tags = notification.tags
        payload = Data(notification.payload)
        wireBytes = notification.wireBytes
        receivedAt = notification.receivedAtMilliseconds
    }

    var content: ReceivedNotification? {
        guard let id = ID16(uuidText: id), flags.count == 4,
            let urgency = ParcelUrgency(rawValue: urgency),
            let contentType = ParcelContentType(rawValue: contentType),
            headers.allSatisfy({ $0.count == 2 })
        else { return nil }
        var notification = ReceivedNotification(
            id: id,
            sequence: sequence,
            slot: slot,
            payloadBytes: payload.count,
            wireBytes: wireBytes,
            receivedAtMilliseconds: receivedAt
        )
        notification.number = number
        notification.platform = platform.flatMap(DevicePlatform.init(rawValue:))
        notification.isTemplate = flags[0]
        notification.isSilent = flags[1]
        notification.isRedelivered = flags[2]
        notification.wantsUserReceipt = flags[3]
        notification.urgency = urgency
        notification.contentType = contentType
        notification.collapseKey = collapseKey
        notification.headers = headers.map { .init(name: $0[0], value: $0[1]) }
        notification.tags = tags
        notification.payload = Array(payload)
        return notification
    }
}
