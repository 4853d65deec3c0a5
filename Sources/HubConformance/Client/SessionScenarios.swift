import HubParcel
import HubWire

/// WELCOME, DELIVER, GAP and GOAWAY, and the client's conduct after each.
enum SessionScenarios {
    static let all: [Scenario<KitHub>] = opening + delivery + places + leaving

    private static let opening: [Scenario<KitHub>] = [
        Scenario("first-hello", ["S-1", "F-1", "A-2", "F-11"]) { hub throws(KitFault) in
            let guest = try hub.guest()
            try guest.check()
            let early = try guest.next(within: 300)
            try expect(early == .nothing, "silence until WELCOME [S-1]", came: "\(early)")
            guest.welcome()
            try guest.awaitQuiet()
        },
        Scenario("comes-back-with-its-key", ["A-3", "A-2", "C-4"]) { hub throws(KitFault) in
            try hub.welcomed().awaitQuiet()
            try hub.welcomed().awaitQuiet()
        },
        Scenario("keeps-its-etag", ["T-7"]) { hub throws(KitFault) in
            try hub.welcomed().awaitQuiet()
            guard hub.memory.etag > 0 else {
                throw .notPlayed("the client registers nothing")
            }
            let guest = try hub.welcomed()
            try expect(
                guest.hello.etag == hub.memory.etag,
                "etag \(hub.memory.etag) in HELLO",
                came: "\(guest.hello.etag)"
            )
            let said = try guest.next(within: 400)
            guard case .registered = said else { return }
            throw .broken(expected: "no REGISTER while the etags are equal", came: "\(said)")
        },
        Scenario("registers-again-after-another-etag", ["T-7"]) { hub throws(KitFault) in
            if hub.memory.etag == 0 { try hub.welcomed().awaitQuiet() }
            guard hub.memory.etag > 0 else {
                throw .notPlayed("the client registers nothing")
            }
            let guest = try hub.welcomed { $0.etag = hub.memory.etag + 1_000 }
            try guest.wait("REGISTER for each slot") { said in
                if case .registered = said { true } else { false }
            }
            try guest.awaitQuiet()
            let own = Set(0...UInt16(WireLimits.slotMax))
            try expect(
                guest.named.isSuperset(of: own),
                "REGISTER or UNREGISTER of each slot, whatever the client's store knows",
                came: "of \(guest.named.sorted())"
            )
        },
        Scenario("limited-request-comes-again", ["E-6"]) { hub throws(KitFault) in
            if hub.memory.etag == 0 { try hub.welcomed().awaitQuiet() }
            guard hub.memory.etag > 0 else {
                throw .notPlayed("the client registers nothing")
            }
            let guest = try hub.welcomed { $0.etag = hub.memory.etag + 2_000 }
            guest.answersRequests = false
            var refs: [UInt16] = []
            try guest.wait("REGISTER") { said in
                guard case .registered(let ref) = said else { return false }
                refs.append(ref)
                return true
            }
            guest.result(.rateLimited, refs[0], slot: 0, retryAfter: 500)
            let begun = KitClock.milliseconds
            guest.answersRequests = true
            try guest.wait("the request again, within 2 s [E-6]", within: 4_500) { said in
                if case .registered = said { true } else { false }
            }
            let waited = KitClock.milliseconds - begun
            try expect(waited >= 900, "at least a second before it", came: "\(waited) ms")
            try guest.awaitQuiet()
        },
        Scenario("skips-what-it-does-not-know", ["V-4"]) { hub throws(KitFault) in
            let guest = try hub.welcomed()
            guest.say([0xC7, 0xF0, 0x12, 0x34, 0, 0, 0, 3, 1, 2, 3, 0x80, 0, 0, 0, 0, 0, 0, 0])
            guest.deliver([try Guest.parcel("behind unknown frames")])
            try guest.expectAcknowledged()
        },
        Scenario("bears-errors-that-are-not-fatal", ["C-3", "E-3"]) { hub throws(KitFault) in
            let guest = try hub.welcomed()
            var bytes: [UInt8] = []
            ErrorFrame(.internalError, isFatal: false).encode(into: &bytes)
            guest.say(bytes)
            guest.deliver([try Guest.parcel("behind an error that is not fatal")])
            try guest.expectAcknowledged()
        },
        Scenario("pings", ["K-4", "K-1"], seconds: 16) { hub throws(KitFault) in
            let guest = try hub.guest()
            try guest.check()
            let seconds = guest.hello.keepaliveMin
            guest.welcome { $0.keepalive = max(1, seconds) }
            try guest.awaitQuiet()
            try guest.wait(
                "PING within \(max(1, seconds)) s",
                within: Int(max(1, seconds)) * 1_000 + 3_000
            ) { $0 == .pinged }
        },
    ]

    private static let delivery: [Scenario<KitHub>] = [
        Scenario("acknowledges", ["D-8", "D-9", "D-2"]) { hub throws(KitFault) in
            let guest = try hub.welcomed()
            guest.deliver(
                [try Guest.parcel("one"), try Guest.parcel("two"), try Guest.parcel("three")]
            )
            try guest.expectAcknowledged()
        },
        Scenario("inflates", ["P-8", "V-3"]) { hub throws(KitFault) in
            let guest = try hub.welcomed()
            let text = String(repeating: "again and ", count: 30)
            for (bit, codec) in [
                (Capabilities.deflate, ParcelCodec.deflate),
                (.dictionary1, .wellKnownDictionary),
            ] where guest.hello.capabilities.contains(bit) {
                guest.deliver([try Guest.parcel(text, codec: codec)])
                try guest.expectAcknowledged()
            }
        },
        Scenario("takes-frames-in-pieces", ["F-6", "F-2"]) { hub throws(KitFault) in
            let guest = try hub.welcomed()
            guest.trickle(guest.delivery([try Guest.parcel("byte by byte")]))
            try guest.expectAcknowledged()
            var joined = guest.delivery([try Guest.parcel("two frames")])
            joined += guest.delivery([try Guest.parcel("in one record")])
            guest.say(joined)
            try guest.expectAcknowledged()
        },
        Scenario("acknowledges-whole-groups", ["D-5", "D-3"]) { hub throws(KitFault) in
            let guest = try hub.welcomed()
            let parcel = try Guest.parcel("first of two")
            var bytes: [UInt8] = []
            var writer = DeliverWriter(previousSeq: hub.memory.sequence, into: &bytes)
            writer.append(
                seqDelta: 1,
                slot: 0,
                flags: DeliverFlag.continues,
                parcel: parcel,
                into: &bytes
            )
            writer.finish(backlog: 1, into: &bytes)
            guest.say(bytes)
            let early = try guest.next(within: 700)
            try expect(
                early == .nothing || early == .acknowledged(hub.memory.sequence),
                "no ACK of a group that is open",
                came: "\(early)"
            )
            bytes = []
            writer = DeliverWriter(previousSeq: hub.memory.sequence, into: &bytes)
            writer.append(seqDelta: 1, slot: 1, flags: 0, parcel: parcel, into: &bytes)
            writer.finish(backlog: 0, into: &bytes)
            hub.memory.sequence += 1
            guest.note(parcel)
            guest.say(bytes)
            try guest.expectAcknowledged()
        },
        Scenario("transient-has-no-place", ["D-4"]) { hub throws(KitFault) in
            let guest = try hub.welcomed()
            guard guest.hello.capabilities.contains(.transient) else {
                throw .notPlayed("the client does not take TRANSIENT")
            }
            var bytes: [UInt8] = []
            var writer = DeliverWriter(previousSeq: hub.memory.sequence, into: &bytes)
            writer.append(
                seqDelta: 0,
                slot: 0,
                flags: DeliverFlag.transient,
                parcel: try Guest.parcel("now or never"),
                into: &bytes
            )
            writer.finish(backlog: 0, into: &bytes)
            guest.say(bytes)
            guest.deliver([try Guest.parcel("behind it")])
            try guest.expectAcknowledged()
        },
        Scenario("takes-expired-and-undecodable", ["D-8", "P-9", "D-14"]) { hub throws(KitFault) in
            let guest = try hub.welcomed()
            let old = ParcelID(hi: 1 << 16 | 0x7000, lo: 0x8000_0000_0000_0001)
            var broken = try Guest.parcel("layout 9")
            broken[0] = 9
            guest.deliver([try Guest.parcel("expired", id: old), broken])
            try guest.expectAcknowledged()
            guard guest.hello.capabilities.contains(.receipts) else { return }
            try guest.expectReported(.undecodable, of: [ID16(broken[8..<24].span)])
        },
    ]

    private static let places: [Scenario<KitHub>] = [
        Scenario("goes-on-behind-its-position", ["R-1", "S-3", "S-7"]) { hub throws(KitFault) in
            let guest = try hub.welcomed()
            guest.deliver([try Guest.parcel("kept")])
            try guest.expectAcknowledged()
            guest.close()
            try hub.welcomed().awaitQuiet()
        },
        Scenario("takes-a-gap", ["D-13", "R-7"]) { hub throws(KitFault) in
            let guest = try hub.welcomed()
            let from = hub.memory.sequence
            hub.memory.sequence += 10
            hub.memory.checks[hub.memory.sequence] = 0xAABB_CCDD
            var bytes: [UInt8] = []
            GapFrame(
                from: from,
                to: hub.memory.sequence,
                lost: 3,
                check: 0xAABB_CCDD,
                reason: .purge
            ).encode(into: &bytes)
            guest.say(bytes)
            try guest.expectAcknowledged()
            guest.close()
            try hub.welcomed().awaitQuiet()
        },
        Scenario("takes-a-reset", ["S-3", "R-6"]) { hub throws(KitFault) in
            let guest = try hub.guest()
            try guest.check()
            hub.memory.epoch &+= 1
            guest.welcome {
                $0.resume = .reset
                $0.lost = 0xFFFF_FFFF
                $0.position = Position(epoch: hub.memory.epoch, sequence: 4, check: 0x44)
            }
            guest.deliver([try Guest.parcel("of another epoch")])
            try guest.expectAcknowledged()
            guest.close()
            try hub.welcomed().awaitQuiet()
        },
        Scenario("drops-what-it-has", ["R-6", "D-6", "D-14"]) { hub throws(KitFault) in
            let guest = try hub.welcomed()
            let parcels = [
                try Guest.parcel("a", wantsStoredReceipt: true), try Guest.parcel("b"),
            ]
            guest.deliver(parcels)
            try guest.expectAcknowledged()
            guest.close()
            let again = try hub.guest()
            try again.check()
            hub.memory.epoch &+= 1
            again.welcome {
                $0.resume = .reset
                $0.position = Position(epoch: hub.memory.epoch, sequence: 1, check: 0x11)
            }
            // The same ids again: they count as stored.
            again.deliver(parcels, flags: DeliverFlag.redelivered)
            try again.expectAcknowledged()
            guard again.hello.capabilities.contains(.receipts) else { return }
            try again.expectReported(.duplicate, of: [ID16(parcels[0][8..<24].span)])
        },
        Scenario("notices-a-hole", ["D-1", "E-4"]) { hub throws(KitFault) in
            for turn in 1...2 {
                let guest = try hub.welcomed()
                var bytes: [UInt8] = []
                var writer = DeliverWriter(
                    previousSeq: hub.memory.sequence + 5,
                    into: &bytes
                )
                writer.append(
                    seqDelta: 1,
                    slot: 0,
                    flags: 0,
                    parcel: try Guest.parcel("behind a hole, turn \(turn)"),
                    into: &bytes
                )
                writer.finish(backlog: 0, into: &bytes)
                guest.say(bytes)
                try guest.expectRefusal(.seqGap)
            }
            let guest = try hub.guest()
            try expect(
                guest.hello.position == .none,
                "epoch 0 after two SEQ_GAPs in a row [E-4]",
                came: "\(guest.hello.position)"
            )
            guest.welcome()
            guest.deliver([try Guest.parcel("from the start")])
            try guest.expectAcknowledged()
        },
        Scenario("refuses-to-go-back", ["D-1"]) { hub throws(KitFault) in
            let guest = try hub.welcomed()
            guest.deliver([try Guest.parcel("before")])
            try guest.expectAcknowledged()
            var bytes: [UInt8] = []
            var writer = DeliverWriter(previousSeq: hub.memory.sequence - 1, into: &bytes)
            let parcel = try Guest.parcel("too low")
            writer.append(seqDelta: 1, slot: 0, flags: 0, parcel: parcel, into: &bytes)
            writer.finish(backlog: 0, into: &bytes)
            guest.say(bytes)
            try guest.expectRefusal(.badField)
        },
        Scenario("refuses-frames-that-are-too-large", ["F-10", "L-1"]) { hub throws(KitFault) in
            let guest = try hub.welcomed()
            let length = guest.hello.maxFrame + 1
            let bytes = [24, 16, 8, 0].map { (shift: UInt32) in
                UInt8(truncatingIfNeeded: length >> shift)
            }
            guest.say([0x20, 0, 0, 0] + bytes)
            try guest.expectRefusal(.frameTooLarge)
        },
    ]

    private static let leaving: [Scenario<KitHub>] = [
        Scenario("goes-away-and-comes-back", ["C-2"]) { hub throws(KitFault) in
            let guest = try hub.welcomed()
            var bytes = guest.delivery([try Guest.parcel("under way")])
            GoawayFrame(reason: .drain, minDelay: 700, spread: 300).encode(into: &bytes)
            guest.say(bytes)
            try guest.wait("a last ACK") { $0 == .acknowledged(hub.memory.sequence) }
            let end = try guest.next(within: 3_000)
            try expect(
                end == .closed || end == .left,
                "a close after GOAWAY",
                came: "\(end)"
            )
            let begun = KitClock.milliseconds
            try hub.welcomed().awaitQuiet()
            let away = KitClock.milliseconds - begun - 300
            try expect(away >= 650, "no return before min_delay_ms, 700", came: "\(away) ms")
        },
        Scenario("stays-away-after-goaway", ["C-2", "E-5"]) { hub throws(KitFault) in
            let guest = try hub.welcomed()
            var bytes: [UInt8] = []
            GoawayFrame(reason: .overload, mayReconnect: false, minDelay: 0, spread: 0)
                .encode(into: &bytes)
            guest.say(bytes)
            hub.memory.isAway = true
            try expect(
                !hub.comes(within: KitHub.longest + 1_500),
                "no return: GOAWAY has no 0x01",
                came: "a connection"
            )
        },
        Scenario("gives-up-a-silent-hub", ["S-2"], seconds: 16) { hub throws(KitFault) in
            let guest = try hub.guest()
            let end = try guest.next(within: 18_000)
            try expect(
                end == .closed,
                "a close after 15 s without WELCOME",
                came: "\(end)"
            )
        },
    ]
}
