package import HubWire

/// Everything a device must remember across starts, apart from the messages themselves.
package struct DeviceState: Equatable, Sendable {
    /// Receipts that wait at most; beyond, the oldest go.
    package static let receiptsMax = 1_024

    /// Who the device is; nil before its first WELCOME.
    package var identity: DeviceIdentity?
    /// How far it has come.
    package var position = Position.none
    /// The sequence number that is stored in part.
    package var openGroup: OpenGroup?
    /// The hub's state of the device's own slots after the last confirmed change; 0 is none.
    package var etag: UInt64 = 0
    /// The registrations that the app wants, by ascending slot.
    package var choices: [SlotChoice] = []
    /// Slots that the app gave up and the hub may still have.
    package var removals: [UInt16] = []
    /// The last entries stored, for the time after a RESET.
    package var recent = RecentEntries()
    /// Receipts that the hub has not taken yet, oldest first.
    package var receipts: [Receipt] = []
    /// How long the network keeps an idle connection open, as learned so far; nil before.
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
