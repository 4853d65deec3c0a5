import Metrics
import Synchronization

/// Hands samples to whatever metrics system the process has.
///
/// Counters of swift-metrics take steps, shards count sums: the exporter keeps what it has handed
/// over already.
final class MetricExporter: Sendable {
    private let factory: any MetricsFactory
    private let exported = Mutex<[String: UInt64]>([:])

    init(factory: any MetricsFactory = MetricsSystem.factory) { self.factory = factory }

    /// Exports one reading; a sum that went down (a shard was not there to answer) waits until it
    /// is past what was exported.
    func export(_ samples: [MetricSample]) {
        exported.withLock { exported in
            for sample in samples {
                let dimensions = sample.dimension.map { [($0.name, $0.value)] } ?? []
                switch sample.kind {
                case .gauge:
                    Gauge(label: sample.label, dimensions: dimensions, factory: factory)
                        .record(sample.value)
                case .counter:
                    let before = exported[sample.key] ?? 0
                    guard sample.value > before || exported[sample.key] == nil else { continue }
                    exported[sample.key] = sample.value
                    Counter(label: sample.label, dimensions: dimensions, factory: factory)
                        .increment(by: sample.value - before)
                }
            }
        }
    }
}
