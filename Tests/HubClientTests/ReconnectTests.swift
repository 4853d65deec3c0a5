import HubClient
import HubWire
import Testing

@Suite("Coming back")
struct ReconnectTests {
    private func wait(_ decision: ReconnectPolicy.Decision) -> Duration? {
        if case .wait(let delay) = decision { delay } else { nil }
    }

    @Test("the delay is jittered below a bound that doubles up to 15 minutes", arguments: 0..<40)
    func backoff(seed: UInt64) throws {
        var policy = ReconnectPolicy(seed: seed)
        var bounds: [Int] = []
        for attempt in 1...14 {
            let bound = policy.bound(afterFailures: attempt - 1)
            bounds.append(Int(bound.components.seconds))
            let delay = try #require(wait(policy.decide(after: .lost, uptime: .zero)))
            #expect(delay >= .zero && delay <= bound, "seed \(seed), attempt \(attempt)")
        }
        #expect(bounds == [5, 5, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900, 900])
    }

    @Test("delays fill the whole range")
    func spread() throws {
        var policy = ReconnectPolicy(seed: 5)
        for _ in 0..<9 { _ = policy.decide(after: .lost, uptime: .zero) }
        var low = 0
        for _ in 0..<200 {
            let delay = try #require(wait(policy.decide(after: .lost, uptime: .zero)))
            if delay < .seconds(450) { low += 1 }
        }
        #expect(60...140 ~= low)
    }

    @Test("only a session of 60 healthy seconds resets the backoff")
    func healthy() throws {
        var policy = ReconnectPolicy(seed: 9)
        for _ in 0..<8 { _ = policy.decide(after: .lost, uptime: .seconds(59)) }
        #expect(policy.consecutiveFailures == 8)
        for seed: UInt64 in 0..<50 {
            var fresh = ReconnectPolicy(seed: seed)
            for _ in 0..<8 { _ = fresh.decide(after: .lost, uptime: .zero) }
            let delay = try #require(wait(fresh.decide(after: .lost, uptime: .seconds(60))))
            #expect(delay <= .seconds(5), "seed \(seed)")
        }
    }

    @Test("WELCOME's spread and longest delay bound every delay. [C-4]", arguments: 0..<20)
    func told(seed: UInt64) throws {
        let pace = ReturnPace(spread: 6_000, longest: 10_000)
        var policy = ReconnectPolicy(seed: seed)
        let healthy = policy.decide(after: .lost, uptime: .seconds(60), pace: pace)
        #expect(try #require(wait(healthy)) <= .seconds(6), "seed \(seed)")
        let bounds = (0..<6).map { Int(policy.bound(afterFailures: $0, pace).components.seconds) }
        #expect(bounds == [6, 6, 8, 10, 10, 10])
        for _ in 0..<30 {
            let decision = policy.decide(after: .lost, uptime: .zero, pace: pace)
            #expect(try #require(wait(decision)) <= .seconds(10), "seed \(seed)")
        }
    }

    @Test("a device goes by the pace of the last WELCOME, also when its connection has ended")
    func adopts() {
        let device = ScriptedDevice()
        #expect(device.session.returning == .untold)
        device.open()
        let pace = ReturnPace(spread: 500, longest: 2_000)
        device.hub(HubScript.welcome { $0.limits.returning = pace })
        device.hub(HubScript.error(ErrorFrame(.internalError)))
        #expect(device.session.returning == pace)
    }

    @Test("a missing PONG allows one attempt at once, then the backoff")
    func atOnce() throws {
        var policy = ReconnectPolicy(seed: 3)
        #expect(policy.decide(after: .pongMissing, uptime: .seconds(1)) == .wait(.zero))
        _ = policy.decide(after: .pongMissing, uptime: .seconds(1))
        #expect(policy.consecutiveFailures == 1)
        #expect(policy.decide(after: .pongMissing, uptime: .seconds(61)) == .wait(.zero))
    }

    @Test("GOAWAY and retry_after are minimums with jitter on top", arguments: 0..<20)
    func minimums(seed: UInt64) throws {
        var policy = ReconnectPolicy(seed: seed)
        let goaway = Departure.goaway(
            reason: 1,
            mayReconnect: true,
            least: .seconds(10),
            spread: .seconds(30)
        )
        let drained = try #require(wait(policy.decide(after: goaway, uptime: .seconds(99))))
        #expect(drained >= .seconds(10) && drained <= .seconds(40), "seed \(seed)")
        let limited = Departure.refused(
            code: ErrorNumber.duplicateDevice.rawValue,
            aboutHello: false,
            hasOtherCredentials: true,
            retryAfter: .seconds(60)
        )
        let refused = try #require(wait(policy.decide(after: limited, uptime: .seconds(99))))
        #expect(refused >= .seconds(60) && refused <= .seconds(65), "seed \(seed)")
        let moved = try #require(wait(policy.decide(after: .networkChanged, uptime: .zero)))
        #expect(moved <= ReconnectPolicy.networkChangeDelayMax, "seed \(seed)")
    }

    /// Numbers after which a device stays away, whatever it was doing.
    static let final: Set<ErrorNumber> = [
        .badMagic, .versionUnsupported, .authRequired, .authFailed, .forbidden, .unknownHub,
        .deviceRevoked, .takenOver, .unsupported,
    ]

    @Test(
        "each error number decides whether the device comes back",
        arguments: ErrorNumber.allCases
    )
    func numbers(_ number: ErrorNumber) {
        let device = ScriptedDevice.ready()
        device.hub(HubScript.error(ErrorFrame(number, isFatal: true, retryAfter: 1_500)))
        let advice = device.departure?.advice
        let expected: Departure.Advice =
            Self.final.contains(number) ? .stay : .backoff(least: .milliseconds(1_500))
        #expect(advice == expected, "\(number.name)")
        #expect(device.acknowledged == [])
    }

    @Test("a revoked device begins anew with a token, and keeps what it stored. [E-4] [A-2]")
    func revoked() throws {
        let device = ScriptedDevice.ready()
        let choice = RegistrationChoice(platform: .apple, tags: ["World"])
        try device.ask { session, now, actions throws(ChoiceError) in
            try session.register(choice, now: now, actions: &actions)
        }
        device.hub(HubScript.result(ResultFrame(status: nil, slot: 0, etag: 50), ref: 1))
        device.hub(HubScript.deliver(after: 0, 1))
        device.hub(HubScript.error(ErrorFrame(.deviceRevoked, isFatal: true)))
        #expect(device.departure?.advice == .stay)
        #expect(device.store.state.identity == nil)
        // Also after a start of the program.
        let next = ScriptedDevice(device.store)
        next.open()
        guard case .hello(let hello, _) = next.frames.first else {
            Issue.record("no HELLO: \(next.frames)")
            return
        }
        #expect(hello.authMethod == .token && hello.deviceID == .zero)
        #expect(hello.position == .none && hello.etag == 0)
        next.forget()
        next.hub(HubScript.welcome { $0.deviceID = ID16(high: 1, low: 2) })
        let message = RegisterMessage(slot: 0, platform: 0, tags: [Array("World".utf8)])
        #expect(next.frames == [.register(message, ref: 1)])
        #expect(next.stored == [1])
    }

    @Test("a protocol error about HELLO is not repeated")
    func aboutHello() {
        let device = ScriptedDevice()
        device.open()
        let about = FrameType.hello.rawValue
        device.hub(HubScript.error(ErrorFrame(.badField, aboutType: about)))
        #expect(device.departure?.advice == .stay)
    }

    @Test("a certificate that is not trusted is tried again, at least a minute later each time")
    func untrusted() throws {
        var policy = ReconnectPolicy(seed: 11)
        for attempt in 0..<12 {
            let delay = try #require(wait(policy.decide(after: .untrusted, uptime: .zero)))
            let most = Departure.untrustedDelayLeast + policy.bound(afterFailures: attempt)
            #expect(delay >= .seconds(60) && delay <= most, "attempt \(attempt)")
        }
    }

    @Test("a token that ran out is followed by the next one, where there is one")
    func expiredToken() {
        for renews in [true, false] {
            let device = ScriptedDevice { $0.renewsTokens = renews }
            device.open()
            let about = FrameType.hello.rawValue
            device.hub(HubScript.error(ErrorFrame(.authExpired, aboutType: about)))
            #expect(device.departure?.advice == (renews ? .backoff(least: .zero) : .stay))
        }
    }

    @Test("expired credentials bring a device back only when it has others")
    func expired() {
        let code = ErrorNumber.authExpired.rawValue
        for hasOthers in [true, false] {
            let departure = Departure.refused(
                code: code,
                aboutHello: true,
                hasOtherCredentials: hasOthers,
                retryAfter: .zero
            )
            #expect(departure.advice == (hasOthers ? .backoff(least: .zero) : .stay))
        }
    }

    @Test("an unknown number counts by its class")
    func unknownNumbers() {
        func advice(_ code: UInt16) -> Departure.Advice {
            Departure.refused(
                code: code,
                aboutHello: false,
                hasOtherCredentials: true,
                retryAfter: .zero
            ).advice
        }
        #expect(advice(0x02FF) == .stay)
        #expect(advice(0x05FF) == .backoff(least: .zero))
        #expect(advice(0x0FFF) == .backoff(least: .zero))
    }

    @Test("an error that is not fatal is told and nothing ends")
    func notFatal() {
        let device = ScriptedDevice.ready()
        device.hub(HubScript.error(ErrorFrame(.rateLimited, detail: "slow down")))
        let code = ErrorNumber.rateLimited.rawValue
        #expect(device.actions == [.hubReported(code: code, detail: "slow down")])
        #expect(device.isReady)
    }

    @Test("after its departure a device takes nothing more")
    func afterDeparture() {
        let device = ScriptedDevice.ready()
        device.hub(HubScript.error(ErrorFrame(.takenOver)) + HubScript.deliver(after: 0, 1))
        device.hub(HubScript.deliver(after: 0, 1))
        #expect(device.stored.isEmpty)
        #expect(device.actions.count { if case .close = $0 { true } else { false } } == 1)
    }
}
