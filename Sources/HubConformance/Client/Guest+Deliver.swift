import HubParcel
import HubWire

extension Guest {
    /// A parcel of the kit's making.
    static func parcel(
        _ text: String,
        codec: ParcelCodec = .identity,
        id: ParcelID = Guest.newID(),
        wantsStoredReceipt: Bool = false
    ) throws(KitFault) -> [UInt8] {
        var description = ParcelDescription(
            id: id,
            ttlSeconds: 3_600,
            contentType: .json,
            platform: 0,
            payload: Array(#"{"aps":{"alert":"\#(text)"}}"#.utf8)
        )
        description.wantsStoredReceipt = wantsStoredReceipt
        var deflater = ParcelDeflater()
        do throws(ParcelEncodingError) {
            return try deflater.encode(description, codec: codec)
        } catch {
            throw .setup("no parcel: \(error)")
        }
    }

    static func newID() -> ParcelID {
        ParcelID(
            hi: KitHub.now << 16 | 0x7000,
            lo: 0x8000_0000_0000_0000 | .random(in: 0..<1 << 60)
        )
    }

    /// Sends entries, one number for each, in one DELIVER.
    func deliver(_ parcels: [[UInt8]], flags: UInt8 = 0) {
        say(delivery(parcels, flags: flags))
    }

    /// The bytes of a DELIVER whose entries the kit counts as sent.
    func delivery(_ parcels: [[UInt8]], flags: UInt8 = 0) -> [UInt8] {
        var bytes: [UInt8] = []
        var writer = DeliverWriter(previousSeq: memory.sequence, into: &bytes)
        for parcel in parcels {
            writer.append(seqDelta: 1, slot: 0, flags: flags, parcel: parcel, into: &bytes)
            memory.sequence += 1
            note(parcel)
        }
        writer.finish(backlog: 0, into: &bytes)
        return bytes
    }

    /// Remembers the check of the newest number.
    func note(_ parcel: [UInt8]) {
        let id = ParcelID(ofParcel: parcel.span)
        memory.checks[memory.sequence] = UInt32(truncatingIfNeeded: id?.lo ?? 0)
    }

    /// Waits until all that was sent is acknowledged, and no more. [D-8] [D-9]
    func expectAcknowledged(within milliseconds: Int = 5_000) throws(KitFault) {
        let wanted = memory.sequence
        var most: UInt64 = 0
        try wait("ACK \(wanted) [D-9]", within: milliseconds) { said in
            guard case .acknowledged(let sequence) = said else { return false }
            most = max(most, sequence)
            return sequence >= wanted
        }
        try expect(most == wanted, "ACK \(wanted), no more [D-9]", came: "ACK \(most)")
    }

    /// Waits for the client's ERROR and its close. [C-3]
    func expectRefusal(_ number: ErrorNumber) throws(KitFault) {
        try wait("ERROR \(number.name)") { $0 == .error(number.rawValue) }
        let end = try next(within: 5_000)
        try expect(end == .closed, "a close behind ERROR [C-3]", came: "\(end)")
    }

    /// Waits for a receipt event for some notifications, and for no others. [D-14]
    func expectReported(_ event: ReceiptEvent, of wanted: Set<ID16>) throws(KitFault) {
        let number = event.rawValue
        var told: Set<ID16> { Set(reported.filter { $0.event == number }.map(\.notification)) }
        if !told.isSuperset(of: wanted) {
            try wait("receipt event \(number) [D-14]", within: 8_000) { _ in
                told.isSuperset(of: wanted)
            }
        }
        try expect(
            told == wanted,
            "event \(number) for \(wanted.count)",
            came: "for \(told.count)"
        )
    }
}
