import HubWire

/// The vectors of `Protocol/vectors` that a hub can say to a client.
enum ClientVectors {
    static func scenarios(_ folder: VectorFolder) throws(KitFault) -> [Scenario<KitHub>] {
        let frames = try folder.frames().filter { !$0.isForHub && $0.number != nil }
        let parcels: [ParcelVector] = try folder.read("parcel") + folder.read("inflate")
        return frames.map(scenario) + [
            Scenario("vector/parcels", ["P-3", "P-2", "P-8", "P-9", "P-10"]) {
                hub throws(KitFault) in
                try play(parcels, on: hub)
            }
        ]
    }

    private static func scenario(_ vector: FrameVector) -> Scenario<KitHub> {
        let rules = ["F-10", "F-3", "F-4", "F-5", "F-7", "F-8", "F-9", "V-5", "C-3"]
        return Scenario("vector/\(vector.name)", rules) { hub throws(KitFault) in
            guard let number = vector.number else { return }
            let guest = try hub.introducedGuest()
            if vector.decodingState == .ready { guest.welcome() }
            guest.say(vector.bytes)
            try guest.expectRefusal(number)
        }
    }

    /// Good and bad parcels in one session: each counts as stored, bad ones are reported.
    private static func play(_ vectors: [ParcelVector], on hub: KitHub) throws(KitFault) {
        let guest = try hub.welcomed { $0.ackDelay = 0 }
        let takesReceipts = guest.hello.capabilities.contains(.receipts)
        var bad: Set<ID16> = []
        for vector in vectors {
            let bytes = vector.bytes
            guard bytes.count >= WireLimits.parcelBytesMin, bytes.count < 12_000 else { continue }
            if vector.error != nil, bytes.count >= 24 { bad.insert(ID16(bytes[8..<24].span)) }
            guest.deliver([bytes])
            try guest.expectAcknowledged()
        }
        if takesReceipts { try guest.expectReported(.undecodable, of: bad) }
    }
}
