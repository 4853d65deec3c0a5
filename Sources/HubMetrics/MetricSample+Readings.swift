import Foundation
import HubDelivery
import HubModel
import HubTransport
import HubVocabulary
import HubWire

/// Everything that shards, directories and the process count; each refusal of a device is in one
/// of the samples. Their meanings stand in `MetricTable`.
extension MetricSample {
    /// The sum of all shards, always in the same order.
    static func samples(of reports: [ShardReport]) -> [MetricSample] {
        var core = ShardCounters()
        for report in reports { core.add(report.core) }
        return MetricTable.reports.map { $0.sum(of: reports) }
            + MetricTable.transport.map { $0.sum(of: reports.map(\.transport)) }
            + closings(reports.map(\.transport))
            + MetricTable.shards.map { $0.sum(of: [core]) } + labelled(core)
    }

    /// The gauges of one hub's directory at a time.
    static func samples(
        of hub: HubName,
        _ gauges: DirectoryGauges,
        now: Timestamp
    ) -> [MetricSample] {
        MetricTable.hubs.map { $0.sum(of: [gauges], ("hub", hub.description)) }
            + gauges.relays.flatMap { samples(of: hub, $0, now: now) }
    }

    /// The state of one relay; a credential without a certificate has no end.
    private static func samples(
        of hub: HubName,
        _ relay: RelayReport,
        now: Timestamp
    ) -> [MetricSample] {
        let name = (name: "relay", value: "\(hub) \(relay.platform.format)")
        let told = relay.condition
        let end = told.certificateEnd.map { Int($0.milliseconds / 1_000) }
        return [
            .gauge("belfry_relay_behind_records", Int(clamping: relay.behind), name),
            .gauge("belfry_relay_open_records", relay.open, name),
            .gauge("belfry_relay_waiting", told.waiting, name),
            .gauge("belfry_relay_oldest_seconds", told.oldestSeconds(now: now), name),
            .gauge("belfry_relay_deferred", relay.deferred, name),
            .counter("belfry_relay_answers_total", told.answers, name),
            .gauge("belfry_relay_resting", relay.cause == nil ? 0 : 1, name),
            .gauge("belfry_relay_credential_refused", told.credential.refusal == nil ? 0 : 1, name),
        ] + (end.map { [.gauge("belfry_relay_certificate_not_after_seconds", $0, name)] } ?? [])
    }

    /// The process's share of the machine, and when it began.
    static func process(startedSeconds: Int) -> [MetricSample] {
        let own = getpid()
        let cpu = ProcessMeter.cpuNanoseconds(process: own).map { $0 / 1_000 }
        let memory = ProcessMeter.residentAnonymousBytes(process: own)
        return [
            cpu.map {
                MetricSample(
                    label: "belfry_cpu_seconds_total",
                    dimension: nil,
                    kind: .seconds,
                    value: $0
                )
            },
            memory.map { .gauge("belfry_memory_anonymous_bytes", $0) },
            .gauge("belfry_open_files_max", ProcessMeter.openFileLimit),
            .gauge("belfry_start_time_seconds", startedSeconds),
        ].compactMap { $0 }
    }

    /// Connections that were refused or failed, by reason.
    private static func closings(_ all: [TransportStatistics]) -> [MetricSample] {
        func sum(_ field: (TransportStatistics) -> UInt64) -> UInt64 {
            all.reduce(0) { $0 + field($1) }
        }
        return TransportStatistics.Refusal.allCases.map { reason in
            let label = "belfry_connections_refused_total"
            return .counter(label, sum { $0[reason] }, ("reason", "\(reason)"))
        }
            + HandshakeFailure.allCases.map { reason in
                let label = "belfry_handshakes_failed_total"
                return .counter(label, sum { $0[reason] }, ("reason", "\(reason)"))
            }
    }

    /// Counts of shards by error and by event.
    private static func labelled(_ core: ShardCounters) -> [MetricSample] {
        var samples: [MetricSample] = []
        for (error, count) in core.errors.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            samples.append(.counter("belfry_device_errors_total", count, ("error", error.name)))
        }
        for (event, count) in core.receipts.enumerated() where count > 0 {
            samples.append(.counter("belfry_receipts_total", count, ("event", "\(event)")))
        }
        return samples
    }
}
