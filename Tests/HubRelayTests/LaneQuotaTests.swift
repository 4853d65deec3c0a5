import HubModel
import HubRelay
import HubVocabulary
import Testing

/// Case 50 of the relays' reference: a lane to a service that takes so many requests in a minute.
@Suite("Quotas")
struct LaneQuotaTests {
    /// Takes so many in each minute of its own clock, and refuses the others.
    private struct Service {
        /// The most of a minute, counted from 0; nil for as many as come.
        let most: (UInt64) -> Int?
        /// Seconds of rest that it wants.
        var rest: UInt64? = 60
        /// Refusals after which it takes all.
        var refusedMost = Int.max
        private var minute: UInt64 = 0
        private var takenOfMinute = 0
        private(set) var taken = 0
        private(set) var refused = 0

        init(most: @escaping (UInt64) -> Int?) { self.most = most }

        mutating func verdict(at milliseconds: UInt64) -> RelayVerdict {
            if milliseconds / 60_000 != minute {
                minute = milliseconds / 60_000
                takenOfMinute = 0
            }
            guard takenOfMinute < most(minute) ?? .max || refused >= refusedMost else {
                refused += 1
                return RelayVerdict(.slow(retryAfter: rest), .throttled, "QUOTA_EXCEEDED")
            }
            takenOfMinute += 1
            taken += 1
            return RelayVerdict(.done, .success)
        }
    }

    /// A broadcast through one lane, whose service answers after 50 milliseconds.
    private struct Run {
        private(set) var service: Service
        private(set) var milliseconds: UInt64 = 1_000
        private var lane: Lane
        private var inFlight: [LaneTicket] = []
        private let record: LaneRecord

        init(_ service: Service, devices: Int) {
            self.service = service
            var limits = LaneLimits()
            limits.requestsFirst = 100
            lane = Lane(
                mark: LaneMark(epoch: 7, scanned: 0),
                registrations: devices,
                seed: 1,
                limits: limits
            )
            record = LaneBench.record(1, Array(1...UInt32(devices)), seconds: 86_400)
            lane.committed(through: 1)
        }

        private var now: Now {
            Now(
                instant: Instant(nanoseconds: milliseconds * 1_000_000),
                time: Timestamp(milliseconds: Samples.time.milliseconds + milliseconds)
            )
        }

        /// Plays until the service has taken all, or so many minutes have passed.
        mutating func play(minutes: UInt64) {
            while service.taken < record.audience.count, milliseconds < minutes * 60_000 {
                step()
            }
        }

        private mutating func step() {
            milliseconds += 50
            let answered = inFlight
            inFlight = []
            var actions: [LaneAction] = []
            for ticket in answered {
                lane.receive(
                    service.verdict(at: milliseconds),
                    for: ticket,
                    from: .service(sharesContent: true),
                    modified: Timestamp(milliseconds: 0),
                    now: now,
                    actions: &actions
                )
            }
            lane.turn(now: now, actions: &actions)
            for action in actions {
                switch action {
                case .send(let ticket): inFlight.append(ticket)
                case .read: lane.receive([record], through: 1, now: now)
                case .renewToken, .keepOlderToken, .remove, .removeSuspect, .rests, .resumes: break
                }
            }
        }
    }

    @Test("50: 50,000 under 10,000 a minute take five and a half; one in a hundred is refused")
    func quota() {
        var run = Run(Service { _ in 10_000 }, devices: 50_000)
        run.play(minutes: 6)
        #expect(run.service.taken == 50_000)
        #expect(run.milliseconds <= 330_000, "\(run.milliseconds)")
        // Something was refused, or the lane has learned nothing.
        #expect((1...500).contains(run.service.refused), "\(run.service.refused)")
    }

    @Test("a quota that was raised is found again ten minutes later")
    func raised() {
        var run = Run(Service { $0 == 0 ? 700 : nil }, devices: 20_000)
        run.play(minutes: 10)
        #expect((5_000...8_000).contains(run.service.taken), "\(run.service.taken)")
        run.play(minutes: 16)
        #expect(run.service.taken == 20_000, "\(run.service.taken)")
    }

    @Test("a refusal early in a lane's minute is no quota, unless the service wants a long rest")
    func early() {
        // They were taken within seconds; a quota of 665 a minute would take half an hour.
        var service = Service { _ in 700 }
        service.rest = 1
        service.refusedMost = 50
        var run = Run(service, devices: 20_000)
        run.play(minutes: 3)
        #expect(run.service.refused > 0)
        #expect(run.service.taken == 20_000, "\(run.service.taken)")
    }

    @Test("a few refusals without traffic before them are no quota")
    func fewBefore() {
        var run = Run(Service { $0 == 0 ? 100 : nil }, devices: 20_000)
        run.play(minutes: 3)
        #expect(run.service.taken == 20_000, "\(run.service.taken)")
    }
}
