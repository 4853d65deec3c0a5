package import HubVocabulary
package import Metrics
import Synchronization

/// The numbers of a process as Prometheus reads them: a back end of swift-metrics.
///
/// A series is there from the moment it is made until it is destroyed. Recorders that add up and
/// timers become a sum and a count.
/// Source: the text format 0.0.4 of Prometheus.
package final class MetricRegistry: MetricsFactory {
    /// Series at once; those above are not kept, and counted.
    package static let seriesMax = 20_000
    /// The label that counts the series that were not kept.
    static let refusedLabel = "belfry_metric_series_refused_total"

    /// The registry behind swift-metrics in this process, from the first use on.
    package static let ofProcess: MetricRegistry = {
        let registry = MetricRegistry()
        MetricsSystem.bootstrap(registry)
        return registry
    }()

    private struct Family {
        var form: MetricForm
        /// By the names and values of dimensions, as they are written.
        var series: [String: Series] = [:]
    }

    private struct Families {
        var byLabel: [String: Family] = [:]
        var count = 0
        var refused: UInt64 = 0
        var histograms: [String: LatencyHistogram] = [:]
    }

    private let families = Mutex(Families())
    private let seriesMax: Int

    /// An empty registry.
    package init(seriesMax: Int = MetricRegistry.seriesMax) { self.seriesMax = seriesMax }

    // MARK: Text

    /// Everything, family by family; labels and series in alphabetical order, each line ended.
    package func text() -> String {
        families.withLock { families in
            var text = ""
            let labels = Set(families.byLabel.keys).union(families.histograms.keys)
            for label in labels.sorted() {
                if let histogram = families.histograms[label] {
                    Self.begin(label, "histogram", to: &text)
                    histogram.write(label, to: &text)
                }
                guard let family = families.byLabel[label] else { continue }
                Self.begin(label, family.form.rawValue, to: &text)
                for series in family.series.values.sorted(by: { $0.key < $1.key }) {
                    series.write(to: &text)
                }
            }
            Self.begin(Self.refusedLabel, MetricForm.counter.rawValue, to: &text)
            text += "\(Self.refusedLabel) \(families.refused)\n"
            return text
        }
    }

    /// Shows histograms by their labels, in the place of those before.
    package func show(_ histograms: [String: LatencyHistogram]) {
        families.withLock { $0.histograms = histograms }
    }

    private static func begin(_ label: String, _ form: String, to text: inout String) {
        if let help = MetricTable.help[label] { text += "# HELP \(label) \(help)\n" }
        text += "# TYPE \(label) \(form)\n"
    }

    /// `{name="value",…}`, or nothing.
    private static func written(_ dimensions: [(String, String)]) -> String {
        guard !dimensions.isEmpty else { return "" }
        let pairs = dimensions.map { name, value in
            var escaped = ""
            for character in value {
                switch character {
                case "\\": escaped += "\\\\"
                case "\"": escaped += "\\\""
                case "\n": escaped += "\\n"
                default: escaped.append(character)
                }
            }
            return "\(name)=\"\(escaped)\""
        }
        return "{\(pairs.joined(separator: ","))}"
    }

    // MARK: Series

    /// Returns the series, and makes a missing one.
    ///
    /// Without room, or when the label has another form, it returns one that is not on the page.
    private func series(
        _ label: String,
        _ dimensions: [(String, String)],
        _ form: MetricForm
    ) -> Series {
        let key = Self.written(dimensions)
        return families.withLock { families in
            let known = families.byLabel[label]
            if let known, known.form == form, let series = known.series[key] { return series }
            guard families.count < seriesMax, known == nil || known?.form == form else {
                families.refused += 1
                return Series(label: label, key: key, form: form)
            }
            let made = Series(label: label, key: key, form: form)
            families.byLabel[label, default: Family(form: form)].series[key] = made
            families.count += 1
            return made
        }
    }

    private func destroy(_ handler: Any) {
        guard let series = handler as? Series else { return }
        families.withLock { families in
            guard families.byLabel[series.label]?.series[series.key] === series else { return }
            families.byLabel[series.label]?.series[series.key] = nil
            families.count -= 1
            if families.byLabel[series.label]?.series.isEmpty == true {
                families.byLabel[series.label] = nil
            }
        }
    }

    /// Makes or finds a counter.
    package func makeCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any CounterHandler {
        series(label, dimensions, .counter)
    }

    /// Makes or finds a counter of parts.
    package func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions, .counter)
    }

    /// Makes or finds a gauge, or what adds up values and counts them.
    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        series(label, dimensions, aggregate ? .summary : .gauge)
    }

    /// Makes or finds what adds up durations in seconds, and counts them.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, .summary)
    }

    /// Forgets a series.
    package func destroyCounter(_ handler: any CounterHandler) { destroy(handler) }
    /// Forgets a series.
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {
        destroy(handler)
    }
    /// Forgets a series.
    package func destroyRecorder(_ handler: any RecorderHandler) { destroy(handler) }
    /// Forgets a series.
    package func destroyTimer(_ handler: any TimerHandler) { destroy(handler) }
}

/// One number, or a sum and how many values it has.
private final class Series: CounterHandler, FloatingPointCounterHandler, RecorderHandler,
    TimerHandler
{
    private struct Value {
        var last = 0.0
        var sum = 0.0
        var count: Int64 = 0
    }

    let label: String
    /// Dimensions as they are written.
    let key: String
    private let form: MetricForm
    private let value = Mutex(Value())

    init(label: String, key: String, form: MetricForm) {
        self.label = label
        self.key = key
        self.form = form
    }

    func increment(by amount: Int64) { value.withLock { $0.count &+= amount } }

    func increment(by amount: Double) { value.withLock { $0.sum += amount } }

    func reset() { value.withLock { $0 = Value() } }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        self.value.withLock {
            $0.last = value
            $0.sum += value
            $0.count &+= 1
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    /// Its line, or lines.
    func write(to text: inout String) {
        let value = value.withLock { $0 }
        switch form {
        case .counter:
            let parts = value.sum == 0 ? "" : Self.number(Double(value.count) + value.sum)
            text += "\(label)\(key) \(parts.isEmpty ? "\(value.count)" : parts)\n"
        case .gauge: text += "\(label)\(key) \(Self.number(value.last))\n"
        case .summary:
            text += "\(label)_sum\(key) \(Self.number(value.sum))\n"
            text += "\(label)_count\(key) \(value.count)\n"
        }
    }

    /// Whole numbers without a fraction, up to those that are exact.
    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 0x1p53 ? "\(Int64(value))" : "\(value)"
    }
}

/// How a family's numbers move, in the words of the format.
private enum MetricForm: String {
    case counter
    case gauge
    case summary
}
