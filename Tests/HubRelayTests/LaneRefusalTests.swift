import HubModel
import HubRelay
import HubVocabulary
import Testing

/// How far a lane believes a verdict: of one device, of a host, of a record, of the service.
@Suite("A lane's judgement of verdicts")
struct LaneRefusalTests {
    static let success = LaneEnd.service(.success)

    @Test(
        "28: refusals that speak of one device each give up no record",
        arguments: [
            (VerdictSource.service(sharesContent: false), RelayOutcome.invalidNotificationFormat),
            (.belfry, .invalidNotificationSize), (.chosenHost, .invalidNotificationFormat),
            (.service(sharesContent: true), .invalidCredentials),
            (.service(sharesContent: true), .unknownError),
        ]
    )
    func ofOneDevice(source: VerdictSource, outcome: RelayOutcome) {
        var bench = LaneBench()
        bench.commit(LaneBench.record(1, Array(1...300)))
        while !bench.waiting.isEmpty { bench.answer(.content, outcome, from: source) }
        #expect(bench.sent.count == 300)
        #expect(bench.store() == [.service(outcome): 300])
    }

    @Test("what Belfry refuses by itself does not show that a service is there")
    func ownRefusal() {
        var bench = LaneBench()
        bench.commit(LaneBench.record(1, Array(1...100)))
        bench.answer(.content, .invalidNotificationSize, from: .belfry)
        #expect(bench.waiting.count == 1)
        bench.answer(.done, .success)
        #expect(bench.waiting.count == 98)
    }

    @Test("31: an outage by errors or silence uses up no attempt, and rests the lane")
    func outage() {
        var bench = LaneBench()
        bench.commit(LaneBench.record(1, Array(1...3_000), seconds: 36_000))
        bench.answer(.done, .success)
        let start = bench.milliseconds
        while bench.milliseconds < start + 1_800_000 {
            while !bench.waiting.isEmpty {
                bench.answer(.later(seconds: 2, most: 64), .pnsServerError)
            }
            bench.turn(after: 500)
        }
        // Only the first errors may be of one device each; afterwards one request tries at a time.
        #expect(bench.sent.count < 1_200 && bench.lane.deferredCount < 150)
        #expect(bench.sent.allSatisfy { $0.attempt <= 1 })
        #expect(bench.rests.allSatisfy { $0 == .unavailable("reason") })
        for _ in 0..<20 {
            bench.turn(after: 60_000)
            bench.drain()
        }
        #expect(bench.store() == [Self.success: 3_000])
    }

    @Test("31: a lane that begins in an outage tries one request at a time")
    func beginsInOutage() {
        var bench = LaneBench()
        bench.commit(LaneBench.record(1, Array(1...100)))
        for _ in 0..<2 { bench.answer(.later(seconds: 2, most: 64), .pnsServerError) }
        #expect(bench.waiting.isEmpty && bench.rests == [.unavailable("reason")])
        for _ in 0..<30 {
            bench.turn(after: 30_000)
            #expect(bench.waiting.count <= 1)
            if !bench.waiting.isEmpty {
                bench.answer(.later(seconds: 2, most: 64), .pnsServerError)
            }
        }
        #expect(bench.sent.allSatisfy { $0.attempt <= 1 })
    }

    @Test("30: devices that always get errors end, while others are served")
    func poisonDevices() {
        var bench = LaneBench()
        bench.commit(LaneBench.record(1, Array(1...200), seconds: 36_000))
        for _ in 0..<2_000 {
            guard let ticket = bench.waiting.first else {
                bench.turn(after: 2_000)
                bench.commit(LaneBench.record(bench.next, [300], seconds: 36_000))
                continue
            }
            if ticket.registration % 50 == 7 {
                bench.answer(.later(seconds: 2, most: 64), .pnsServerError)
            } else {
                bench.answer(.done, .success)
            }
        }
        let counts = bench.store()
        #expect(counts[.gaveUp(.pnsServerError)] == 4)
    }

    @Test("62: server errors of a host that a registration chose rest nothing")
    func oneHost() {
        var bench = LaneBench()
        bench.commit(LaneBench.record(1, Array(1...60)))
        bench.answer(.done, .success)
        let later = RelayAction.later(seconds: 300, most: 14_400)
        for _ in 0..<50 { bench.answer(later, .pnsServerError, from: .chosenHost) }
        bench.commit(LaneBench.record(2, [90], accepted: 1_000, transient: true))
        bench.drain()
        #expect(bench.rests == [])
        #expect(bench.store() == [Self.success: 11])
    }
}
