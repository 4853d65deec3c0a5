import HubWire

/// Registrations, tags and other requests.
enum RequestScenarios {
    static let all: [Scenario<HubUnderTest>] = answers + registrations + tags + leaving

    private static func succeeded(_ result: ResultFrame, _ what: String) throws(KitFault) {
        try ExpectedAnswer.expect(result, nil, what)
    }

    private static let answers: [Scenario<HubUnderTest>] = [
        Scenario("each-request-once", ["S-4"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.open()
            var bytes: [UInt8] = []
            for ref: UInt16 in 1...40 {
                UnregisterFrame(slot: 0xFFFF, ref: ref).encode(into: &bytes)
            }
            device.say(bytes)
            var refs: [UInt16] = []
            while refs.count < 40 {
                let frame = try device.expect(.result, "RESULT for each of 40 requests")
                refs.append(frame.header?.ref ?? 0)
            }
            try expect(refs.sorted() == Array(1...40), "each ref once", came: "\(refs)")
            try device.ping()
        },
        Scenario("ref-in-use", ["S-4"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.open()
            var bytes: [UInt8] = []
            for _ in 0..<2 { UnregisterFrame(slot: 0xFFFF, ref: 9).encode(into: &bytes) }
            device.say(bytes)
            // A hub that has answered the first one may take the second.
            var results = 0
            while results < 2 {
                let heard = device.next()
                guard case .frame(let frame) = heard else {
                    throw .broken(expected: "DUPLICATE_REQUEST, or two RESULTs", came: "\(heard)")
                }
                if frame.type == .error {
                    let code = frame.bytes.dropFirst(8).prefix(2)
                    try expect(
                        Array(code) == [0x01, 0x0F],
                        "ERROR DUPLICATE_REQUEST",
                        came: frame.description
                    )
                    return
                }
                results += 1
            }
        },
        Scenario("unknown-frames-are-skipped", ["V-4", "F-10", "S-6"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.open()
            device.say([0xC7, 0xF0, 0x12, 0x34, 0, 0, 0, 3, 1, 2, 3, 0x80, 0, 0, 0, 0, 0, 0, 0])
            try device.ping()
        },
        Scenario("frames-cut-anywhere", ["F-6"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.connect()
            for byte in try device.hello() { device.say([byte]) }
            _ = try device.welcomed()
            try device.ping()
        },
        Scenario("rate-of-frames", ["S-6"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.open()
            let padding: [UInt8] = [0x80, 0, 0, 0, 0, 0, 0, 0]
            let borne = WireLimits.framesBurst - 10
            device.say(Array(repeatElement(padding, count: borne).joined()))
            try device.ping()
            let toomany = WireLimits.framesBurst + WireLimits.refusedFramesMax + 100
            device.say(Array(repeatElement(padding, count: toomany).joined()))
            try device.refused(with: [.rateLimited])
        },
        Scenario("rate-of-changes", ["S-6"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.open()
            for number in 0..<WireLimits.changesBurst {
                try succeeded(try device.register(["n\(number)"]), "change \(number + 1) of 16")
            }
            // A change comes back each second, so one or two more may pass.
            var limited: ResultFrame?
            for _ in 0..<6 where limited == nil {
                let result = try device.register(["more"])
                if result.status != 0 { limited = result }
            }
            try ExpectedAnswer.expect(limited, .rateLimited, "a change beyond the rate")
            try expect(
                (limited?.retryAfter ?? 0) > 0,
                "retry_after_ms above 0",
                came: "\(limited?.retryAfter ?? 0)"
            )
            try device.open()
            // A bucket of the connection would let all four pass.
            var again: [ResultFrame] = []
            for number in 0..<4 { again.append(try device.register(["again\(number)"])) }
            try expect(
                again.contains { $0.status != 0 },
                "RATE_LIMITED on the next connection too",
                came: "four successes"
            )
        },
    ]

    private static let registrations: [Scenario<HubUnderTest>] = [
        Scenario("etag", ["T-7", "T-4"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.open()
            let first = try device.register(["a"])
            try succeeded(first, "REGISTER")
            try expect(first.etag != 0, "an etag that is not 0", came: "0")
            let equal = try device.register(["a"])
            try expect(
                equal.etag == first.etag,
                "the same etag for an equal REGISTER",
                came: "\(equal.etag)"
            )
            let other = try device.register(["b"], ifETag: first.etag)
            try succeeded(other, "REGISTER with the present etag")
            try expect(other.etag != first.etag, "another etag", came: "\(other.etag)")
            let stale = try device.register(["c"], ifETag: first.etag)
            try ExpectedAnswer.expect(stale, .etagMismatch, "REGISTER with an old etag")
            try expect(
                stale.etag == other.etag,
                "the present etag \(other.etag)",
                came: "\(stale.etag)"
            )
            let welcome = try device.open()
            try expect(
                welcome.etag == other.etag,
                "etag \(other.etag) in WELCOME",
                came: "\(welcome.etag)"
            )
        },
        Scenario("unregister", ["T-5", "T-7"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.open()
            let absent = try unregister(0, device)
            try ExpectedAnswer.expect(absent, .notFound, "UNREGISTER of no registration")
            try succeeded(try unregister(0xFFFF, device), "UNREGISTER of all, without any")
            try device.register(["a"])
            let gone = try unregister(0xFFFF, device)
            try succeeded(gone, "UNREGISTER of all")
            try expect(gone.etag == 0, "etag 0 without a slot", came: "\(gone.etag)")
        },
        Scenario("platform-not-served", ["F-11", "E-1"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.open()
            let result = try device.register(platform: 77, ["a"])
            try ExpectedAnswer.expect(result, .unsupported, "platform 77")
            try device.ping()
        },
        Scenario("template-not-compiled", ["T-6", "X-1"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.open()
            let template = TemplateMessage(name: "t", body: Array(#"{"aps": $(x"#.utf8))
            let result = try device.register(["a"], template: template)
            try ExpectedAnswer.expect(result, .invalidTemplate, "a template that is no JSON")
        },
    ]

    private static let tags: [Scenario<HubUnderTest>] = [
        Scenario("tag-limits", ["T-2", "L-1"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            let welcome = try device.open()
            let most = Int(welcome.limits.tags)
            let longest = String(repeating: "x", count: Int(welcome.limits.tagBytes))
            try succeeded(try device.register([longest]), "a tag of max_tag_len bytes")
            let long = try device.register([longest + "x"])
            try ExpectedAnswer.expect(long, .invalidTag, "a tag of one byte more")
            try succeeded(try device.register((0..<most).map { "t\($0)" }), "max_tags tags")
            let many = try device.register((0...most).map { "t\($0)" })
            try ExpectedAnswer.expect(many, .tooManyTags, "one tag more")
            let blank = try device.register(["no blanks"])
            try ExpectedAnswer.expect(blank, .invalidTag, "a tag with a blank")
            let twice = try device.register(["One", "ONE", "two"])
            try succeeded(twice, "tags that are equal after folding")
            try expect(twice.applied == 2, "applied 2", came: "\(twice.applied)")
        },
        Scenario("protected-tags", ["T-3"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.open()
            for tag in ["$x", "username:root"] {
                let result = try device.register([tag])
                try ExpectedAnswer.expect(result, .forbidden, "the tag \(tag)")
                try expect(
                    result.detail.contains(tag),
                    "the tag in detail",
                    came: "'\(result.detail)'"
                )
            }
        },
        Scenario("patched-tags", ["T-5"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.open()
            let none = try patch(device, add: ["a"], remove: [])
            try ExpectedAnswer.expect(none, .notFound, "TAGS without a registration")
            try device.register(["a", "b"])
            let patched = try patch(device, add: ["c"], remove: ["a", "absent"])
            try succeeded(patched, "TAGS")
            try expect(patched.applied == 2, "applied 2", came: "\(patched.applied)")
            let moved = try patch(device, add: ["b"], remove: ["b"])
            try expect(moved.applied == 2, "removed first, then added: 2", came: "\(moved.applied)")
        },
    ]

    private static let leaving: [Scenario<HubUnderTest>] = [
        Scenario("logout-in-one-write", ["C-1", "S-4"]) { hub throws(KitFault) in
            for turn in 1...10 {
                let device = KitDevice(hub)
                try device.open()
                try device.register(["a"])
                let ref = device.reference()
                var bytes: [UInt8] = []
                UnregisterFrame(slot: 0xFFFF, ref: ref).encode(into: &bytes)
                ByeFrame(reason: 3).encode(into: &bytes)
                device.say(bytes)
                try ExpectedAnswer.expect(
                    try device.result(of: ref),
                    nil,
                    "UNREGISTER in front of BYE, turn \(turn)"
                )
                let end = device.next()
                guard case .closed = end else {
                    throw .broken(expected: "a close behind BYE", came: end.description)
                }
                let welcome = try device.open()
                try expect(welcome.etag == 0, "no slot after logout", came: "\(welcome.etag)")
            }
        },
        Scenario("nothing-behind-bye", ["C-1"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.open()
            var bytes: [UInt8] = []
            ByeFrame(reason: 0).encode(into: &bytes)
            bytes += [0x7E, 0, 0, 0, 0, 0, 0, 0]
            device.say(bytes)
            let end = device.next()
            guard case .closed = end else {
                throw .broken(expected: "a close, and nothing read behind BYE", came: "\(end)")
            }
        },
        Scenario("pings", ["K-1"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            let welcome = try device.open()
            let pong = try device.ping()
            try expect(
                pong.serverTime >= welcome.serverTime
                    && pong.serverTime < welcome.serverTime + 60_000,
                "server_time_ms that goes on from WELCOME's",
                came: "\(pong.serverTime) behind \(welcome.serverTime)"
            )
        },
        Scenario("pings-too-fast", ["K-5"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.open()
            for _ in 0...WireLimits.pingTooFastMax { try device.ping() }
            var bytes: [UInt8] = []
            PingFrame(nextSeconds: 300, token: 1).encode(into: &bytes)
            device.say(bytes)
            try device.refused(with: [.pingTooFast])
        },
        Scenario("idle", ["K-2"], seconds: 62) { hub throws(KitFault) in
            let device = KitDevice(hub)
            let welcome = try device.open()
            var bytes: [UInt8] = []
            PingFrame(nextSeconds: 1, token: 1).encode(into: &bytes)
            device.say(bytes)
            let patience = Int(welcome.grace) * 1_000 + 8_000
            try device.refused(with: [.idleTimeout], within: patience)
        },
        Scenario("takeovers", ["S-5"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.open()
            let copy = KitDevice(hub)
            copy.identity = device.identity
            copy.key = device.key
            try copy.open()
            try device.refused(with: [.takenOver])
            try device.open()
            try copy.refused(with: [.takenOver])
            try copy.connect()
            copy.say(try copy.hello())
            let error = try copy.refused(with: [.duplicateDevice])
            try expect(
                (60_000...600_000).contains(error.retryAfter),
                "retry_after_ms of 60,000 to 600,000",
                came: "\(error.retryAfter)"
            )
        },
        Scenario("takeover-by-the-same-instance", ["S-5"]) { hub throws(KitFault) in
            let device = KitDevice(hub)
            try device.open()
            let copy = KitDevice(hub)
            (copy.identity, copy.key, copy.instance) = (
                device.identity, device.key, device.instance
            )
            try copy.open()
            let end = device.next()
            guard case .closed = end else {
                throw .broken(expected: "a close without words", came: end.description)
            }
            try copy.ping()
        },
    ]

    private static func unregister(
        _ slot: UInt16,
        _ device: KitDevice
    ) throws(KitFault) -> ResultFrame {
        try device.request { bytes, ref in
            UnregisterFrame(slot: slot, ref: ref).encode(into: &bytes)
        }
    }

    private static func patch(
        _ device: KitDevice,
        add: [String],
        remove: [String]
    ) throws(KitFault) -> ResultFrame {
        let message = TagsMessage(
            slot: 0,
            add: add.map { Array($0.utf8) },
            remove: remove.map { Array($0.utf8) }
        )
        return try device.request { bytes, ref throws(WireError) in
            try message.encode(into: &bytes, ref: ref)
        }
    }
}
