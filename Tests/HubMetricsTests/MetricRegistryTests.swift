import HubDelivery
import HubModel
@testable import HubMetrics
import HubVocabulary
import HubTransport
import HubWire
import Metrics
import Testing

@Suite("Numbers as Prometheus reads them")
struct MetricRegistryTests {
    @Test("are counters, gauges and summaries with their dimensions, in alphabetical order")
    func writes() {
        let registry = MetricRegistry()
        Gauge(label: "b", factory: registry).record(7)
        Gauge(label: "b", dimensions: [("hub", "x"), ("kind", "y")], factory: registry).record(2.5)
        Counter(label: "c_total", dimensions: [("reason", "z")], factory: registry).increment(by: 3)
        Counter(label: "c_total", dimensions: [("reason", "a")], factory: registry).increment()
        Counter(label: "c_total", dimensions: [("reason", "z")], factory: registry).increment()
        let recorder = Recorder(label: "a", factory: registry)
        recorder.record(2)
        recorder.record(5)
        Timer(label: "d_seconds", factory: registry).recordNanoseconds(1_500_000_000)
        #expect(
            registry.text() == """
                # TYPE a summary
                a_sum 7
                a_count 2
                # TYPE b gauge
                b 7
                b{hub="x",kind="y"} 2.5
                # TYPE c_total counter
                c_total{reason="a"} 1
                c_total{reason="z"} 4
                # TYPE d_seconds summary
                d_seconds_sum 1.5
                d_seconds_count 1
                # HELP belfry_metric_series_refused_total Series for which there was no room.
                # TYPE belfry_metric_series_refused_total counter
                belfry_metric_series_refused_total 0

                """
        )
    }

    @Test("say what they mean, and their values cannot break out of a line")
    func escapes() {
        let registry = MetricRegistry()
        Counter(
            label: "belfry_rest_requests_total",
            dimensions: [("operation", "a\"} 1\nb\\")],
            factory: registry
        ).increment()
        let lines = registry.text().split(separator: "\n")
        #expect(
            lines.prefix(3) == [
                "# HELP belfry_rest_requests_total "
                    + "Answered REST requests by operation, status and sub code.",
                "# TYPE belfry_rest_requests_total counter",
                #"belfry_rest_requests_total{operation="a\"} 1\nb\\"} 1"#,
            ]
        )
    }

    @Test("go when they are destroyed, and come back at zero")
    func destroys() {
        let registry = MetricRegistry()
        let counter = Counter(label: "c_total", factory: registry)
        counter.increment(by: 5)
        counter.destroy()
        #expect(!registry.text().contains("c_total "))
        Counter(label: "c_total", factory: registry).increment(by: 2)
        // What was destroyed already has nothing to take away.
        counter.destroy()
        #expect(registry.text().contains("c_total 2\n"))
    }

    @Test("are limited in number; what has no room is counted")
    func limits() {
        let registry = MetricRegistry(seriesMax: 2)
        for reason in ["a", "b", "c", "a"] {
            Counter(label: "c_total", dimensions: [("reason", reason)], factory: registry)
                .increment()
        }
        // Another form under a label that is taken.
        Gauge(label: "c_total", factory: registry).record(1)
        let text = registry.text()
        #expect(text.contains("c_total{reason=\"a\"} 2\n"))
        #expect(text.contains("c_total{reason=\"b\"} 1\n"))
        #expect(!text.contains("reason=\"c\""))
        #expect(text.contains("belfry_metric_series_refused_total 2\n"))
    }

    @Test("of a hub that is gone go with the next reading; sums stay")
    func forgets() {
        let registry = MetricRegistry()
        let exporter = MetricExporter(factory: registry)
        exporter.export([.gauge("g", 1, ("hub", "a")), .counter("c_total", 4)])
        exporter.export([.gauge("g", 2, ("hub", "b"))])
        let text = registry.text()
        #expect(text.contains("g{hub=\"b\"} 2\n") && !text.contains("hub=\"a\""))
        #expect(text.contains("c_total 4\n"))
    }

    @Test("of time are in seconds, though they are counted in parts of them")
    func seconds() {
        let registry = MetricRegistry()
        let exporter = MetricExporter(factory: registry)
        for microseconds in [1_250_000, 1_750_000, 1_500_000] as [UInt64] {
            exporter.export([
                MetricSample(
                    label: "t_seconds_total",
                    dimension: nil,
                    kind: .seconds,
                    value: microseconds
                )
            ])
        }
        #expect(registry.text().contains("# TYPE t_seconds_total counter\nt_seconds_total 1.75\n"))
    }

    @Test("have a sentence each, and there is no sentence for a number that nobody counts")
    func explains() throws {
        var gauges = DirectoryGauges()
        gauges.relays = [
            RelayReport(
                platform: .apple,
                since: 1,
                place: 0,
                behind: 0,
                open: 0,
                deferred: 0,
                cause: nil
            )
        ]
        let now = Timestamp(milliseconds: 0)
        gauges.relays[0].condition.certificateEnd = now
        let hub = MetricSample.samples(of: try #require(HubName("hub")), gauges, now: now)
        var core = ShardCounters()
        core.errors = [.rateLimited: 1]
        core.receipts[2] = 1
        let report = ShardReport(
            core: core,
            transport: TransportStatistics(),
            live: 0,
            catchingUp: 0,
            connections: 0
        )
        let all =
            hub + MetricSample.samples(of: [report]) + MetricSample.process(startedSeconds: 1)
            + ServerFiles(folder: "/", certificateEnd: { 0 }).samples()
        let labels = Set(all.map(\.label)).union([
            "belfry_directory_events_total", MetricRegistry.refusedLabel,
            "belfry_rest_connections_refused_total", "belfry_rest_connections_yielded_total",
            "belfry_rest_proxy_headers_refused_total", "belfry_rest_requests_total",
            "belfry_log_lines_dropped_total",
            "belfry_problems", "belfry_send_lines_total", "belfry_trace_spans_total",
            "belfry_trace_spans_dropped_total", "belfry_database_events_total",
            "belfry_leads", "belfry_lead_events_total", "belfry_lease_left_seconds",
            "belfry_term", "belfry_front_requests_total", "belfry_front_requests_open",
            "belfry_front_connections_total", "belfry_front_connections_open",
            "belfry_copy_behind_groups", "belfry_copy_warm", "belfry_copy_cursors_warm",
            "belfry_hubs_opened_total",
        ]).union(LatencyMetrics([], stored: LatencyHistogram()).byLabel.keys)
        #expect(labels == Set(MetricTable.help.keys))
        for (label, text) in MetricTable.help {
            #expect(text.hasSuffix(".") && !text.contains("\n") && !text.contains("\\"), "\(label)")
        }
    }
}
