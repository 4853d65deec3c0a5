/// One number under the name that operators see.
struct MetricSample: Equatable {
    /// How the number moves.
    enum Kind {
        /// Only grows; its label ends in `_total`.
        case counter
        /// Only grows; given in microseconds, shown in seconds.
        case seconds
        /// Goes up and down.
        case gauge
    }

    let label: String
    /// Name and value of what tells samples of one label apart; at most one here.
    let dimension: (name: String, value: String)?
    let kind: Kind
    let value: UInt64

    static func == (left: MetricSample, right: MetricSample) -> Bool {
        left.key == right.key && left.kind == right.kind && left.value == right.value
    }

    /// Names the series.
    var key: String {
        dimension.map { "\(label){\($0.name)=\($0.value)}" } ?? label
    }

    static func counter(
        _ label: String,
        _ value: UInt64,
        _ dimension: (name: String, value: String)? = nil
    ) -> MetricSample {
        MetricSample(label: label, dimension: dimension, kind: .counter, value: value)
    }

    static func gauge(
        _ label: String,
        _ value: Int,
        _ dimension: (name: String, value: String)? = nil
    ) -> MetricSample {
        let value = UInt64(max(0, value))
        return MetricSample(label: label, dimension: dimension, kind: .gauge, value: value)
    }
}
