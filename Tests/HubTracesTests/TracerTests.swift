import HubModel
import HubVocabulary
import Testing

@testable import HubTraces

@Suite("Traces")
struct TracerTests {
    static let now = Now(
        instant: Instant(nanoseconds: 5_000_000_000),
        time: Timestamp(milliseconds: 1_900_000_000_000)
    )
    static let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    static func after(_ milliseconds: UInt64) -> Instant {
        now.instant.adding(milliseconds: milliseconds)
    }

    static func hub() throws -> HubName { try #require(HubName("hub")) }

    /// A tracer that traces everything, with the trace of one request.
    static func begun() throws -> (Tracer, RequestTrace) {
        let tracer = Tracer(ratio: 1)
        return (tracer, try #require(tracer.begin(parent: Array(parent.utf8), now: now)))
    }

    static func record(_ sequence: UInt64, _ trace: RequestTrace?) -> NotificationRecord {
        var draft = NotificationDraft(
            format: .template,
            target: .broadcast,
            body: Array("{}".utf8),
            timeToLive: .seconds(60)
        )
        draft.trace = trace
        return NotificationRecord(
            sequence: sequence,
            id: NotificationID(high: 1, low: sequence),
            draft: draft
        )
    }

    @Test("begin for the share of requests that is asked for, each with ids of its own")
    func sampled() {
        #expect(Tracer(ratio: 0).begin(parent: nil, now: Self.now) == nil)
        let all = Tracer(ratio: 1)
        let spans = (0..<100).compactMap { _ in all.begin(parent: nil, now: Self.now) }
        #expect(spans.count == 100 && Set(spans.map(\.span)).count == 100)
        #expect(spans.allSatisfy { $0.parent == nil && $0.id.high | $0.id.low != 0 })
        let half = Tracer(ratio: 0.5)
        let some = (0..<1_000).filter { _ in half.begin(parent: nil, now: Self.now) != nil }
        #expect((300...700).contains(some.count))
    }

    @Test("follow the caller's decision, and go on with its ids")
    func continued() throws {
        let never = Tracer(ratio: 0)
        let found = try #require(never.begin(parent: Array(Self.parent.utf8), now: Self.now))
        #expect(found.id == (0x0af7_6519_16cd_43dd, 0x8448_eb21_1c80_319c))
        #expect(found.parent == 0xb7ad_6b71_6920_3331 && found.span != found.parent)
        let unsampled = Self.parent.dropLast() + "0"
        #expect(Tracer(ratio: 1).begin(parent: Array(unsampled.utf8), now: Self.now) == nil)
        #expect(Tracer(ratio: 1).begin(parent: Array("nonsense".utf8), now: Self.now) != nil)
    }

    @Test("have a span for each step, one behind the other, all below the request")
    func steps() throws {
        let (tracer, trace) = try Self.begun()
        let hub = try Self.hub()
        let device = DeviceID(high: 1, low: 2)
        tracer.committed(
            [Self.record(1, nil), Self.record(2, trace)],
            of: hub,
            from: Self.after(1),
            until: Self.after(3)
        )
        let kinds: [(DeliveryStep.Kind, UInt64)] = [
            (.selected(registrations: 7), 4), (.sent(device), 5),
            (.acknowledged(device, sent: Self.after(5)), 9),
        ]
        for (kind, at) in kinds {
            let step = DeliveryStep(sequence: 2, trace: trace, kind: kind, at: Self.after(at))
            tracer.heard(step, of: hub)
        }
        // A test send that is not traced.
        tracer.heard(
            DeliveryStep(sequence: 3, trace: nil, kind: .sent(device), at: Self.after(6)),
            of: hub
        )
        tracer.answered(
            trace,
            TracedRequest(operation: "send", status: 201, tracking: "t", hub: hub),
            at: Self.after(6)
        )
        let spans = tracer.take(100).spans
        let zero = trace.unixNanoseconds(at: Self.now.instant)
        #expect(zero == 1_900_000_000_000_000_000)
        let told = spans.map { span in
            let (start, end) = ((span.start - zero) / 1_000_000, (span.end - zero) / 1_000_000)
            return "\(span.name) \(start)-\(end)"
        }
        #expect(
            told == [
                "commit 1-3", "fan out 3-4", "send 3-5", "acknowledge 5-9", "send 0-6",
            ]
        )
        #expect(spans.allSatisfy { $0.trace == trace.id })
        #expect(spans.dropLast().allSatisfy { $0.parent == trace.span && $0.kind == .within })
        #expect(spans.last?.id == trace.span && spans.last?.parent == trace.parent)
        #expect(Set(spans.map(\.id)).count == 5)
    }

    @Test("show the first requests to push services, and which of them failed")
    func relayed() throws {
        let (tracer, trace) = try Self.begun()
        let hub = try Self.hub()
        tracer.committed(
            [Self.record(2, trace)],
            of: hub,
            from: Self.after(0),
            until: Self.after(1)
        )
        for status in [200, 410, nil] + Array(repeating: 201, count: 9) {
            tracer.relayed(
                2,
                of: hub,
                to: .apple,
                status: status,
                from: Self.after(2),
                until: Self.after(4)
            )
        }
        tracer.relayed(
            3,
            of: hub,
            to: .apple,
            status: 200,
            from: Self.after(2),
            until: Self.after(4)
        )
        let spans = tracer.take(100).spans.filter { $0.name == "relay" }
        #expect(spans.count == TraceLimits.relaysPerNotification)
        #expect(spans.map(\.hasFailed).prefix(4) == [false, true, true, false])
        #expect(spans.allSatisfy { $0.kind == .client && $0.parent == trace.span })
    }

    @Test("forget the oldest notification when relays know as many as they may")
    func forgets() throws {
        let (tracer, trace) = try Self.begun()
        let hub = try Self.hub()
        for sequence in 1...UInt64(TraceLimits.notifications + 1) {
            let record = [Self.record(sequence, trace)]
            tracer.committed(record, of: hub, from: Self.after(0), until: Self.after(1))
        }
        for sequence: UInt64 in [1, 2] {
            tracer.relayed(
                sequence,
                of: hub,
                to: .apple,
                status: 200,
                from: Self.after(2),
                until: Self.after(3)
            )
        }
        #expect(tracer.take(.max).spans.count { $0.name == "relay" } == 1)
    }

    @Test("wait for their export up to a number; the rest is counted")
    func bounded() throws {
        let (tracer, trace) = try Self.begun()
        func add(_ count: Int) {
            for _ in 0..<count {
                tracer.answered(
                    trace,
                    TracedRequest(operation: "send", status: 201, tracking: "t", hub: nil),
                    at: Self.after(1)
                )
            }
        }
        add(TraceLimits.spansWaiting - 1)
        #expect(tracer.take(1).dropped == 0)
        add(2)
        let (first, dropped) = tracer.take(10)
        #expect(first.count == 10 && dropped == 0)
        add(11)
        #expect(tracer.take(0).dropped == 1)
        tracer.takeBack(first)
        let (rest, lost) = tracer.take(.max)
        #expect(rest.count == TraceLimits.spansWaiting && lost == 10)
    }
}
