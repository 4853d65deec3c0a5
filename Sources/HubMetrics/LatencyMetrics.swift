import HubDelivery
import HubVocabulary

/// How long notifications took on their way through the server, in three parts.
struct LatencyMetrics {
    /// From the arrival of a send at its hub to stable storage.
    var stored = LatencyHistogram()
    /// From there to the connections of devices at the head of the log.
    var written = LatencyHistogram()
    /// From there to the devices' acknowledgements.
    var acknowledged = LatencyHistogram()

    /// The sums of all shards, beside that of all writers.
    init(_ reports: [ShardReport], stored: LatencyHistogram) {
        self.stored = stored
        for report in reports {
            written.add(report.core.latencies.written)
            acknowledged.add(report.core.latencies.acknowledged)
        }
    }

    /// The histograms by the labels under which operators see them.
    var byLabel: [String: LatencyHistogram] {
        [
            "belfry_send_stored_seconds": stored,
            "belfry_delivery_written_seconds": written,
            "belfry_delivery_acknowledged_seconds": acknowledged,
        ]
    }

    /// The milliseconds within which 99 of 100 stayed since an earlier reading; nil where nothing
    /// was counted.
    func most(since earlier: LatencyMetrics?) -> [Double?] {
        func most(_ part: KeyPath<LatencyMetrics, LatencyHistogram>) -> Double? {
            let all = self[keyPath: part]
            let new = earlier.map { all.since($0[keyPath: part]) } ?? all
            return new.milliseconds(within: 0.99)
        }
        return [most(\.stored), most(\.written), most(\.acknowledged)]
    }

    /// The names of ``most(since:)`` in the past of the server's numbers.
    static let names = ["storedMilliseconds", "writtenMilliseconds", "acknowledgedMilliseconds"]
}

extension LatencyHistogram {
    /// Appends its lines in the text format of Prometheus: each bucket with all below it.
    func write(_ label: String, to text: inout String) {
        var sum: UInt64 = 0
        for (bucket, count) in counts.enumerated() {
            sum += count
            let end =
                bucket < Self.ends.count ? "\(Double(Self.ends[bucket]) / 1e9)" : "+Inf"
            text += "\(label)_bucket{le=\"\(end)\"} \(sum)\n"
        }
        text += "\(label)_sum \(Double(nanoseconds) / 1e9)\n\(label)_count \(sum)\n"
    }
}
