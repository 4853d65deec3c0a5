import Metrics
import Synchronization

/// Hands samples to a metrics system.
///
/// Counters of swift-metrics take steps, shards count sums: the exporter keeps what it has handed
/// over already.
final class MetricExporter: Sendable {
    private struct Instruments {
        var gauges: [String: Gauge] = [:]
        var counters: [String: (instrument: Counter, exported: UInt64)] = [:]
        var seconds: [String: (instrument: FloatingPointCounter, exported: UInt64)] = [:]
    }

    private let factory: any MetricsFactory
    private let instruments = Mutex(Instruments())

    init(factory: any MetricsFactory) { self.factory = factory }

    /// Exports one reading; a sum that went down (a shard was not there to answer) waits until it
    /// is past what was exported, and a gauge that is no longer there (its hub was deleted) goes.
    func export(_ samples: [MetricSample]) {
        instruments.withLock { instruments in
            for sample in samples {
                switch sample.kind {
                case .gauge: record(sample, in: &instruments)
                case .counter: add(sample, to: &instruments)
                case .seconds: addSeconds(sample, to: &instruments)
                }
            }
            let present = Set(samples.map(\.key))
            for key in instruments.gauges.keys where !present.contains(key) {
                instruments.gauges.removeValue(forKey: key)?.destroy()
            }
        }
    }

    private func record(_ sample: MetricSample, in instruments: inout Instruments) {
        let gauge =
            instruments.gauges[sample.key]
            ?? Gauge(label: sample.label, dimensions: dimensions(of: sample), factory: factory)
        instruments.gauges[sample.key] = gauge
        gauge.record(sample.value)
    }

    private func add(_ sample: MetricSample, to instruments: inout Instruments) {
        let (counter, before) =
            instruments.counters[sample.key]
            ?? (
                Counter(label: sample.label, dimensions: dimensions(of: sample), factory: factory),
                0
            )
        instruments.counters[sample.key] = (counter, max(before, sample.value))
        if sample.value > before { counter.increment(by: sample.value - before) }
    }

    private func addSeconds(_ sample: MetricSample, to instruments: inout Instruments) {
        let (counter, before) =
            instruments.seconds[sample.key]
            ?? (
                FloatingPointCounter(
                    label: sample.label,
                    dimensions: dimensions(of: sample),
                    factory: factory
                ), 0
            )
        instruments.seconds[sample.key] = (counter, max(before, sample.value))
        if sample.value > before {
            counter.increment(by: Double(sample.value - before) / 1e6)
        }
    }

    private func dimensions(of sample: MetricSample) -> [(String, String)] {
        sample.dimension.map { [($0.name, $0.value)] } ?? []
    }
}
