import HubDelivery
import HubModel
import HubREST
@testable import HubMetrics
import HubTransport
import HubVocabulary
import HubWire
import Metrics
import Synchronization
import Testing

@Suite("Metrics")
struct MetricTests {
    private static func report(_ change: (inout ShardCounters) -> Void) -> ShardReport {
        var core = ShardCounters()
        change(&core)
        var transport = TransportStatistics()
        transport.handedOver = 6
        transport.ringBatches = 7
        return ShardReport(
            core: core,
            transport: transport,
            live: 2,
            catchingUp: 1,
            connections: 5
        )
    }

    @Test("are the sums of all shards, each series once, in the same order")
    func sums() throws {
        let reports = [
            Self.report {
                $0.deliveries = 3
                $0.errors = [.rateLimited: 2, .badTags: 1]
            },
            Self.report {
                $0.deliveries = 4
                $0.errors = [.rateLimited: 5]
                $0.receipts[2] = 9
            },
        ]
        let samples = MetricSample.samples(of: reports)
        func value(_ key: String) -> UInt64? { samples.first { $0.key == key }?.value }
        #expect(value("belfry_connections") == 10)
        #expect(value("belfry_sessions_live") == 4)
        #expect(value("belfry_sessions_catching_up") == 2)
        #expect(value("belfry_connections_own_records_total") == 12)
        #expect(value("belfry_device_send_batches_total") == 14)
        #expect(value("belfry_deliveries_total") == 7)
        #expect(value("belfry_device_errors_total{error=RATE_LIMITED}") == 7)
        #expect(value("belfry_device_errors_total{error=BAD_TAGS}") == 1)
        #expect(value("belfry_receipts_total{event=2}") == 9)
        #expect(Set(samples.map(\.key)).count == samples.count)
        #expect(samples == MetricSample.samples(of: reports))
        for sample in samples {
            #expect(
                (sample.kind == .counter) == sample.label.hasSuffix("_total"),
                "\(sample.label)"
            )
        }
        for refusal in TransportStatistics.Refusal.allCases {
            #expect(value("belfry_connections_refused_total{reason=\(refusal)}") == 0)
        }
        for failure in HandshakeFailure.allCases {
            #expect(value("belfry_handshakes_failed_total{reason=\(failure)}") == 0)
        }
    }

    @Test("of directories are told apart by their hubs")
    func directories() throws {
        var gauges = DirectoryGauges()
        gauges.registrations = 1
        gauges.installations = 2
        gauges.unknownHandles = 3
        gauges.undeliverable = 4
        gauges.devices = 5
        gauges.sessions = 6
        gauges.tags = 7
        gauges.schedules = 8
        gauges.idempotencyKeys = 9
        gauges.lapses = 10
        gauges.waiting = 11
        gauges.logFirst = 12
        gauges.logHead = 13
        gauges.logBytes = 14
        gauges.cursorLagMean = 15
        let hub = try #require(HubName("hub"))
        let samples = MetricSample.samples(of: hub, gauges, now: Timestamp(milliseconds: 0))
        #expect(samples.map(\.value) == Array(1...15))
        #expect(samples.allSatisfy { $0.kind == .gauge && $0.key.hasSuffix("{hub=hub}") })
        #expect(Set(samples.map(\.key)).count == 15)
    }

    @Test("of relays are told apart by hub and platform, each with its own number")
    func relays() throws {
        let hub = try #require(HubName("hub"))
        let now = Timestamp(milliseconds: 100_999)
        var report = RelayReport(
            platform: .apple,
            since: 1,
            place: 1,
            behind: 2,
            open: 3,
            deferred: 4,
            cause: nil
        )
        func values() -> [String: UInt64] {
            var gauges = DirectoryGauges()
            gauges.relays = [report]
            let samples = MetricSample.samples(of: hub, gauges, now: now)
            let own = samples.filter { $0.dimension?.name == "relay" }
            #expect(own.allSatisfy { $0.dimension?.value == "hub apple" })
            return Dictionary(uniqueKeysWithValues: own.map { ($0.label, $0.value) })
        }
        var expected: [String: UInt64] = [
            "belfry_relay_behind_records": 2, "belfry_relay_open_records": 3,
            "belfry_relay_deferred": 4, "belfry_relay_waiting": 0,
            "belfry_relay_oldest_seconds": 0, "belfry_relay_answers_total": 0,
            "belfry_relay_resting": 0, "belfry_relay_credential_refused": 0,
        ]
        #expect(values() == expected)
        report.cause = "the service is not there"
        report.condition.answers = 5
        report.condition.waiting = 6
        report.condition.oldest = Timestamp(milliseconds: 40_000)
        report.condition.credential = .refused("the credential is refused")
        report.condition.certificateEnd = Timestamp(milliseconds: 7_999)
        expected["belfry_relay_answers_total"] = 5
        expected["belfry_relay_waiting"] = 6
        expected["belfry_relay_oldest_seconds"] = 60
        expected["belfry_relay_resting"] = 1
        expected["belfry_relay_credential_refused"] = 1
        expected["belfry_relay_certificate_not_after_seconds"] = 7
        #expect(values() == expected)
        report.condition.credential = .works
        // A clock that was put back makes no age.
        report.condition.oldest = Timestamp(milliseconds: 200_000)
        #expect(values()["belfry_relay_credential_refused"] == 0)
        #expect(values()["belfry_relay_oldest_seconds"] == 0)
    }

    @Test("reach the metrics system as steps of counters and values of gauges")
    func exported() {
        let factory = RecordingFactory()
        let exporter = MetricExporter(factory: factory)
        func export(_ count: UInt64, _ gauge: Int) {
            exporter.export([
                .counter("c_total", count, ("reason", "x")), .gauge("g", gauge),
            ])
        }
        export(5, 7)
        export(5, 3)
        export(9, 3)
        // A shard did not answer.
        export(4, 1)
        export(10, 1)
        #expect(
            factory.log.withLock { $0 } == [
                "c_total reason=x +5", "g = 7.0", "g = 3.0", "c_total reason=x +4", "g = 3.0",
                "g = 1.0", "c_total reason=x +1", "g = 1.0",
            ]
        )
    }

    @Test("have the lines of requests with many sends, by how they ended")
    func lines() {
        let factory = RecordingFactory()
        ServerEvents.count(SendLineCount(status: 201, subCode: 0, count: 998), factory: factory)
        ServerEvents.count(SendLineCount(status: 400, subCode: 40000, count: 2), factory: factory)
        #expect(
            factory.log.withLock { $0 } == [
                "belfry_send_lines_total status=201 code=0 +998",
                "belfry_send_lines_total status=400 code=40000 +2",
            ]
        )
    }
}

/// Writes down what it is told.
private final class RecordingFactory: MetricsFactory {
    let log = Mutex<[String]>([])

    private final class Recording: CounterHandler, RecorderHandler {
        let name: String
        let factory: RecordingFactory

        init(_ label: String, _ dimensions: [(String, String)], _ factory: RecordingFactory) {
            name = ([label] + dimensions.map { "\($0.0)=\($0.1)" }).joined(separator: " ")
            self.factory = factory
        }

        func increment(by amount: Int64) {
            factory.log.withLock { $0.append("\(name) +\(amount)") }
        }
        func reset() {}
        func record(_ value: Int64) { record(Double(value)) }
        func record(_ value: Double) { factory.log.withLock { $0.append("\(name) = \(value)") } }
    }

    private final class Ignoring: TimerHandler {
        func recordNanoseconds(_ duration: Int64) {}
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        Recording(label, dimensions, self)
    }

    func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        Recording(label, dimensions, self)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { Ignoring() }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
