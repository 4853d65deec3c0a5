import HubDelivery
import HubModel
@testable import HubMetrics
import HubTransport
import HubVocabulary
import Testing

@Suite("The table of numbers")
struct MetricTableTests {
    /// Names of the integers in a struct, with those of structs in it.
    private static func numbers(_ value: Any) -> [(name: String, value: UInt64)] {
        Mirror(reflecting: value).children.flatMap { child -> [(name: String, value: UInt64)] in
            let name = child.label ?? ""
            switch child.value {
            case let number as UInt64: return [(name, number)]
            case let number as Int: return [(name, UInt64(number))]
            // It has series of its own.
            case is LatencyHistogram: return []
            default: return Self.numbers(child.value).filter { !$0.name.isEmpty }
            }
        }
    }

    @Test("has a row for each number that shards count, and adds up all of them")
    func shards() {
        var counters = ShardCounters()
        for (place, row) in ShardCounters.rows.enumerated() {
            counters[keyPath: row.field] = UInt64(place) + 1
        }
        for (name, value) in Self.numbers(counters) {
            #expect(value > 0, "'\(name)' has no row in ShardCounters.rows")
        }
        #expect(Self.numbers(counters).count == ShardCounters.rows.count)
        var sum = counters
        sum.add(counters)
        for (place, row) in ShardCounters.rows.enumerated() {
            #expect(sum[keyPath: row.field] == 2 * (UInt64(place) + 1), "\(row.label)")
        }
    }

    @Test("has a row for each number of a transport, but for those of a side that is no hub")
    func transport() {
        let fields = Set(MetricTable.transport.map { $0.field as PartialKeyPath })
        #expect(fields.count == MetricTable.transport.count)
        // A hub opens no connections. Opened and closed are the connections of a report over time.
        let told = Self.numbers(TransportStatistics()).map(\.name).filter {
            !["connecting", "opened", "closed"].contains($0)
        }
        #expect(told.count == fields.count, "\(told)")
    }

    @Test("has a row for each number of a hub and of a report")
    func others() {
        let fields = Set(MetricTable.hubs.map { $0.field as PartialKeyPath })
        #expect(fields.count == MetricTable.hubs.count)
        #expect(Self.numbers(DirectoryGauges()).count == fields.count)
        let report = ShardReport(
            core: ShardCounters(),
            transport: TransportStatistics(),
            live: 1,
            catchingUp: 2,
            connections: 3
        )
        let own = Mirror(reflecting: report).children.filter { $0.value is Int }
        #expect(own.count == MetricTable.reports.count)
    }

    @Test("puts matches that were replaced, cut or purged on the page")
    func unwritten() {
        var report = ShardReport(
            core: ShardCounters(),
            transport: TransportStatistics(),
            live: 0,
            catchingUp: 0,
            connections: 0
        )
        report.core.unwritten.collapsed = 3
        report.core.unwritten.capped = 4
        report.core.unwritten.purged = 5
        report.core.reads.readersLookedAt = 6
        let page = MetricPage(
            registry: MetricRegistry(),
            files: ServerFiles(folder: "/", certificateEnd: { 1_900_000_000 })
        )
        var stored = LatencyHistogram()
        let start = Instant(nanoseconds: 0)
        stored.add(from: start, to: Instant(nanoseconds: 2_000_000), times: 3)
        stored.add(from: start, to: Instant(nanoseconds: 30_000_000_000))
        report.core.latencies.written = stored
        let reports = [report, report]
        let text = page.text(reports, problems: 0, gauges: [], stored: stored)
        let label = "belfry_matches_not_delivered_total"
        #expect(text.contains("\n\(label){reason=\"collapsed\"} 6\n"))
        #expect(text.contains("\n\(label){reason=\"capped\"} 8\n"))
        #expect(text.contains("\n\(label){reason=\"purged\"} 10\n"))
        #expect(text.contains("\nbelfry_readers_looked_at_total 12\n"))
        #expect(text.contains("\nbelfry_build_info{version=\"\(Release.version)\"} 1\n"))
        #expect(text.contains("\nbelfry_certificate_not_after_seconds 1900000000\n"))
        #expect(text.contains("\nbelfry_disk_free_bytes "))
        let sends = "belfry_send_stored_seconds"
        #expect(text.contains("\n# TYPE \(sends) histogram\n\(sends)_bucket{le=\"0.0001\"} 0\n"))
        #expect(text.contains("\n# HELP \(sends) From a send's arrival"))
        #expect(text.contains("_bucket{le=\"0.001\"} 0\n\(sends)_bucket{le=\"0.0025\"} 3\n"))
        #expect(text.contains("_bucket{le=\"10.0\"} 3\n\(sends)_bucket{le=\"+Inf\"} 4\n"))
        #expect(text.contains("\n\(sends)_sum 30.006\n\(sends)_count 4\n"))
        #expect(text.contains("\nbelfry_delivery_written_seconds_count 8\n"))
        #expect(text.contains("\nbelfry_delivery_acknowledged_seconds_count 0\n"))
    }
}
