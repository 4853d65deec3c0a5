import Foundation
import HubDelivery
import HubModel
import HubTransport
import HubVocabulary
import HubWire

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

/// Everything that shards and directories count, as samples; each refusal of a device is in one of
/// them. What they mean stands in `MetricHelp`.
extension MetricSample {
    /// The sum of all shards, always in the same order.
    static func samples(of reports: [ShardReport]) -> [MetricSample] {
        var core = ShardCounters()
        for report in reports { core.add(report.core) }
        func sum(_ field: (ShardReport) -> Int) -> Int { reports.reduce(0) { $0 + field($1) } }
        return [
            .gauge("belfry_connections", sum(\.connections)),
            .gauge("belfry_sessions_live", sum(\.live)),
            .gauge("belfry_sessions_catching_up", sum(\.catchingUp)),
        ] + transport(reports.map(\.transport)) + sessions(core) + deliveries(core)
    }

    /// What the directory of one hub holds.
    static func samples(of hub: HubName, _ gauges: DirectoryGauges) -> [MetricSample] {
        let dimension = ("hub", hub.description)
        return [
            .gauge("belfry_registrations", gauges.registrations, dimension),
            .gauge("belfry_installations", gauges.installations, dimension),
            .gauge("belfry_registrations_unknown_handle", gauges.unknownHandles, dimension),
            .gauge("belfry_registrations_undeliverable", gauges.undeliverable, dimension),
            .gauge("belfry_devices", gauges.devices, dimension),
            .gauge("belfry_device_sessions", gauges.sessions, dimension),
            .gauge("belfry_tags", gauges.tags, dimension),
            .gauge("belfry_schedules", gauges.schedules, dimension),
            .gauge("belfry_idempotency_keys", gauges.idempotencyKeys, dimension),
            .gauge("belfry_lapses", gauges.lapses, dimension),
            .gauge("belfry_writer_waiting", gauges.waiting, dimension),
            .gauge("belfry_log_first", Int(clamping: gauges.logFirst), dimension),
            .gauge("belfry_log_head", Int(clamping: gauges.logHead), dimension),
            .gauge("belfry_log_bytes", gauges.logBytes, dimension),
            .gauge("belfry_cursor_lag_mean", Int(clamping: gauges.cursorLagMean), dimension),
        ]
    }

    /// What the process takes of the machine, and since when.
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

    private static func transport(_ all: [TransportStatistics]) -> [MetricSample] {
        func sum(_ field: (TransportStatistics) -> UInt64) -> UInt64 {
            all.reduce(0) { $0 + field($1) }
        }
        var samples: [MetricSample] = [
            .counter("belfry_connections_accepted_total", sum(\.accepted)),
            .counter("belfry_connections_unread_total", sum(\.unread)),
            .counter("belfry_accept_pauses_total", sum(\.acceptPauses)),
            .counter("belfry_device_bytes_in_total", sum(\.bytesIn)),
            .counter("belfry_device_bytes_out_total", sum(\.bytesOut)),
            .counter("belfry_device_sends_total", sum(\.sends)),
            .counter("belfry_device_sends_blocked_total", sum(\.blockedSends)),
            .counter("belfry_device_send_batches_total", sum(\.ringBatches)),
            .counter("belfry_device_records_total", sum(\.records)),
            .counter("belfry_connections_own_records_total", sum(\.handedOver)),
        ]
        for reason in TransportStatistics.Refusal.allCases {
            let label = "belfry_connections_refused_total"
            samples.append(.counter(label, sum { $0[reason] }, ("reason", "\(reason)")))
        }
        for reason in HandshakeFailure.allCases {
            let label = "belfry_handshakes_failed_total"
            samples.append(.counter(label, sum { $0[reason] }, ("reason", "\(reason)")))
        }
        return samples
    }

    private static func sessions(_ core: ShardCounters) -> [MetricSample] {
        var samples: [MetricSample] = [
            .counter("belfry_frames_received_total", core.framesReceived),
            .counter("belfry_sessions_opened_total", core.sessionsOpened),
            .counter("belfry_sessions_fell_behind_total", core.fellBehind),
        ]
        for (error, count) in core.errors.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            samples.append(.counter("belfry_device_errors_total", count, ("error", error.name)))
        }
        for (event, count) in core.receipts.enumerated() where count > 0 {
            samples.append(.counter("belfry_receipts_total", count, ("event", "\(event)")))
        }
        return samples
    }

    private static func deliveries(_ core: ShardCounters) -> [MetricSample] {
        let missed = "belfry_matches_not_delivered_total"
        return [
            .counter("belfry_deliveries_total", core.deliveries),
            .counter("belfry_deliveries_transient_total", core.transientDeliveries),
            .counter("belfry_deliveries_acknowledged_total", core.acknowledged),
            .counter(missed, core.expired, ("reason", "expired")),
            .counter(missed, core.skipped, ("reason", "same")),
            .counter(missed, core.transientMissed, ("reason", "missed")),
            .counter(missed, core.oversized, ("reason", "oversized")),
            .counter(missed, core.damaged, ("reason", "damaged")),
            .counter("belfry_parcels_made_total", core.parcelsMade),
            .counter("belfry_selections_total", core.selections),
            .counter("belfry_flushes_total", core.flushes),
            .counter("belfry_log_pages_read_total", core.pagesRead),
            .counter("belfry_losses_told_total", core.losses),
            .counter("belfry_handles_proven_total", core.handlesProven),
        ]
    }
}
