public import HubWire

/// Who a device is: what the first WELCOME made.
///
/// The key and the handle are secrets.
package struct DeviceIdentity: Equatable, Sendable {
    /// The device id, given by the hub.
    package var id: ID16
    /// Proves the id on later connections; 32 bytes.
    package var key: [UInt8]
    /// The push handle, 32 bytes: whoever knows it can register for this device over REST.
    package var handle: [UInt8]

    /// An identity of its parts.
    package init(id: ID16, key: [UInt8], handle: [UInt8]) {
        self.id = id
        self.key = key
        self.handle = handle
    }

    /// The push handle as registrations over REST name it: 64 lower-case hexadecimal digits.
    package var handleText: String {
        handle.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}

/// A sequence number of which not all registrations' entries have come.
///
/// Source: rules B.7.
package struct OpenGroup: Equatable, Sendable {
    /// The sequence number.
    package var sequence: UInt64
    /// Slots whose entry is stored already; dropped when they come again.
    package var slots: [UInt16]

    /// A group of its parts.
    package init(sequence: UInt64, slots: [UInt16]) {
        self.sequence = sequence
        self.slots = slots
    }
}

/// What a device wants to receive in one of its slots.
public struct RegistrationChoice: Equatable, Sendable {
    /// 0 to 15, chosen by the device.
    public var slot: UInt16
    /// Decides which sends reach the slot and which payload rules apply.
    public var platform: DevicePlatform
    /// All tags of the slot.
    public var tags: [String]
    /// Makes it a template registration.
    public var template: TemplateMessage?
    /// Seconds until the registration expires; 0 takes the hub's default.
    public var lifetimeSeconds: UInt32

    /// A choice of its parts; native without a template.
    public init(
        slot: UInt16 = 0,
        platform: DevicePlatform,
        tags: [String],
        template: TemplateMessage? = nil,
        lifetimeSeconds: UInt32 = 0
    ) {
        self.slot = slot
        self.platform = platform
        self.tags = tags
        self.template = template
        self.lifetimeSeconds = lifetimeSeconds
    }

    /// A template registration; the template's expressions are filled in for each send.
    ///
    /// - Parameters:
    ///   - slot: 0 to 15, chosen by the device.
    ///   - platform: decides the form of body and headers.
    ///   - name: the template's name; may be empty.
    ///   - body: JSON, or XML on Windows platforms.
    ///   - expiry: expression that may shorten the time to live; empty for none.
    ///   - headers: names and values that the hub passes on.
    ///   - tags: all tags of the slot.
    /// - Returns: the choice, to be given to `DeviceClient.register`.
    public static func template(
        slot: UInt16 = 0,
        platform: DevicePlatform,
        name: String,
        body: String,
        expiry: String = "",
        headers: [(name: String, value: String)] = [],
        tags: [String]
    ) -> RegistrationChoice {
        RegistrationChoice(
            slot: slot,
            platform: platform,
            tags: tags,
            template: TemplateMessage(
                name: name,
                expiry: expiry,
                headers: headers.map { TemplateMessage.Header(name: $0.name, value: $0.value) },
                body: Array(body.utf8)
            )
        )
    }

    var message: RegisterMessage {
        var message = RegisterMessage(
            slot: slot,
            platform: platform.rawValue,
            tags: tags.map { Array($0.utf8) },
            template: template
        )
        message.ttl = lifetimeSeconds
        return message
    }
}

/// A choice and whether the hub has it.
package struct SlotChoice: Equatable, Sendable {
    /// What the app wants.
    package var choice: RegistrationChoice
    /// Whether the hub has confirmed exactly this.
    package var isConfirmed: Bool

    /// A choice with its state.
    package init(choice: RegistrationChoice, isConfirmed: Bool) {
        self.choice = choice
        self.isConfirmed = isConfirmed
    }
}

/// Everything a device must remember across starts, apart from the messages themselves.
package struct DeviceState: Equatable, Sendable {
    /// Receipts that wait at most; beyond, the oldest go.
    package static let receiptsMax = 1_024

    /// Who the device is; nil before its first WELCOME.
    package var identity: DeviceIdentity?
    /// How far it has come.
    package var position = LinkPosition.none
    /// The sequence number that is stored in part.
    package var openGroup: OpenGroup?
    /// The hub's state of the device's own slots after the last confirmed change; 0 is none.
    package var etag: UInt64 = 0
    /// What the app wants, by ascending slot.
    package var choices: [SlotChoice] = []
    /// Slots that the app gave up and the hub may still have.
    package var removals: [UInt16] = []
    /// The last entries stored, for the time after a RESET.
    package var recent = RecentEntries()
    /// Receipts that the hub has not taken yet, oldest first.
    package var receipts: [Receipt] = []
    /// What was learned about the network's patience.
    package var keepAlive: KeepAlive?
    /// The number that the next stored message gets; numbers are never used twice.
    package var nextNumber: UInt64 = 1

    /// The state of a new device.
    package init() {}

    /// The choice in a slot, confirmed or not.
    package func choice(slot: UInt16) -> RegistrationChoice? {
        choices.first { $0.choice.slot == slot }?.choice
    }

    /// Queues a receipt, dropping the oldest beyond the limit.
    mutating func queue(_ receipt: Receipt) {
        guard !receipts.contains(where: { Self.isSame($0, receipt) }) else { return }
        receipts.append(receipt)
        if receipts.count > Self.receiptsMax {
            receipts.removeFirst(receipts.count - Self.receiptsMax)
        }
    }

    /// Forgets receipts that the hub has dealt with, wherever in the queue they are by now.
    mutating func forget(_ done: [Receipt]) {
        receipts.removeAll { waiting in done.contains { Self.isSame($0, waiting) } }
    }

    private static func isSame(_ one: Receipt, _ other: Receipt) -> Bool {
        one.notification == other.notification && one.event == other.event
            && one.slot == other.slot
    }
}
