import HubModel
import HubTransport
import HubVocabulary

/// The answer of `/$belfry/metrics`: every number of a server, read at one moment.
struct MetricPage: Sendable {
    private let registry: MetricRegistry
    private let exporter: MetricExporter
    private let readings: ServerReadings
    private let startedSeconds = Int(Clock.now.time.milliseconds / 1_000)

    /// Counts into a registry, which other parts of the server count into too.
    init(registry: MetricRegistry, readings: ServerReadings) {
        self.registry = registry
        self.readings = readings
        exporter = MetricExporter(factory: registry)
    }

    /// Every number in the text format of Prometheus.
    func text(
        _ reports: [ShardReport],
        problems: Int,
        gauges: [(hub: HubName, gauges: DirectoryGauges)]
    ) -> String {
        var samples = MetricSample.process(startedSeconds: startedSeconds)
        samples += readings.samples()
        samples += MetricSample.samples(of: reports)
        samples.append(.gauge("belfry_problems", problems))
        for (hub, gauges) in gauges { samples += MetricSample.samples(of: hub, gauges) }
        exporter.export(samples)
        return registry.text()
    }
}
