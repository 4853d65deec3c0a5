import FoundationEssentials
import HubVocabulary
import HubWire

/// The part of a device's state that changes seldom: who it is and what it wants.
struct DeviceProfile: Codable {
    private var deviceID: String?
    private var key: Data?
    private var handle: Data?
    private var etag: UInt64
    private var choices: [ChoiceRecord]
    private var removals: [UInt16]
    private var keepAlive: KeepAlive?

    init(_ state: DeviceState) {
        deviceID = state.identity?.id.uuidText
        key = state.identity.map { Data($0.key) }
        handle = state.identity.map { Data($0.handle) }
        etag = state.etag
        choices = state.choices.map(ChoiceRecord.init)
        removals = state.removals
        keepAlive = state.keepAlive
    }

    /// Reads what `json` wrote; nil when it is something else.
    init?(json: [UInt8]) {
        // The reason helps no caller: the checksum fitted, so another release wrote it.
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(json)) else { return nil }
        self = read
    }

    /// The profile in bytes.
    var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Only numbers that are not finite have no JSON, and a profile has no floating point.
        guard let json = try? encoder.encode(self) else {
            preconditionFailure("a device's profile has only values that JSON can hold")
        }
        return Array(json)
    }

    /// Whether a state has another profile.
    static func differs(_ one: DeviceState, from other: DeviceState) -> Bool {
        one.identity != other.identity || one.etag != other.etag || one.choices != other.choices
            || one.removals != other.removals || one.keepAlive != other.keepAlive
    }

    /// Puts the profile into a state; false when a field is out of range.
    func apply(to state: inout DeviceState) -> Bool {
        state.identity = nil
        if let deviceID {
            guard let id = ID16(uuidText: deviceID), let key, let handle,
                key.count == WireLimits.deviceKeyBytes, handle.count == WireLimits.handleBytes
            else { return false }
            state.identity = DeviceIdentity(id: id, key: Array(key), handle: Array(handle))
        }
        state.etag = etag
        state.choices = choices.compactMap(\.content)
        state.removals = removals
        state.keepAlive = keepAlive
        return state.choices.count == choices.count
    }
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
        guard let platform = Platform(rawValue: platform) else { return nil }
        var template: TemplateMessage?
        if let templateName, let templateBody {
            let headers = templateHeaders ?? []
            guard headers.allSatisfy({ $0.count == 2 }) else { return nil }
            template = TemplateMessage(
                name: templateName,
                expiry: templateExpiry ?? "",
                headers: headers.map { NotificationHeader(name: $0[0], value: $0[1]) },
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
