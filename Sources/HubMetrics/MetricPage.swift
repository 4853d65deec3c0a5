package import HubModel
import HubTransport
package import HubVocabulary
import Synchronization

/// The answer of `/$belfry/metrics`: every number of a server, read at one moment.
package final class MetricPage: Sendable {
    private let registry: MetricRegistry
    private let exporter: MetricExporter
    private let files: ServerFiles
    private let startedSeconds = Int(Clock.now.time.milliseconds / 1_000)

    /// Milliseconds since 1970; 0 before the first reading.
    private let read = Atomic<UInt64>(0)

    /// Counts into a registry, which other parts of the server count into too.
    package init(registry: MetricRegistry, files: ServerFiles) {
        self.registry = registry
        self.files = files
        exporter = MetricExporter(factory: registry)
    }

    /// When the numbers were last read; nil for never.
    package var lastRead: Timestamp? {
        let milliseconds = read.load(ordering: .relaxed)
        return milliseconds == 0 ? nil : Timestamp(milliseconds: milliseconds)
    }

    /// Every number in the text format of Prometheus.
    package func text(
        _ reports: [ShardReport],
        problems: Int,
        gauges: [(hub: HubName, gauges: DirectoryGauges)],
        stored: LatencyHistogram
    ) -> String {
        read.store(Clock.now.time.milliseconds, ordering: .relaxed)
        var samples = MetricSample.process(startedSeconds: startedSeconds)
        samples += files.samples()
        samples += MetricSample.samples(of: reports)
        samples.append(.gauge("belfry_problems", problems))
        for (hub, gauges) in gauges {
            samples += MetricSample.samples(of: hub, gauges, now: Clock.now.time)
        }
        exporter.export(samples)
        registry.show(LatencyMetrics(reports, stored: stored).byLabel)
        return registry.text()
    }
}
