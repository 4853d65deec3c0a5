import HubCore
import HubTransport
import HubWire

/// One number under the name that operators see.
struct MetricSample: Equatable {
    /// How the number moves.
    enum Kind {
        /// Only grows; its label ends in `_total`.
        case counter
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
/// them.
///
///     belfry_connections                     gauge    device connections in any state
///     belfry_sessions_live                   gauge    sessions at the head of the log
///     belfry_sessions_catching_up            gauge    sessions behind it
///     belfry_connections_accepted_total      counter
///     belfry_connections_refused_total       counter  {reason}: a limit, or no resources
///     belfry_connections_unread_total        counter  closed because output was not read
///     belfry_handshakes_failed_total         counter  {reason}
///     belfry_accept_pauses_total             counter  no descriptors were left
///     belfry_device_bytes_in_total           counter  ciphertext
///     belfry_device_bytes_out_total          counter  ciphertext
///     belfry_device_sends_total              counter  calls that gave the kernel bytes
///     belfry_device_sends_blocked_total      counter  of these, not taken in full
///     belfry_device_send_batches_total       counter  many sends in one call (io_uring)
///     belfry_device_records_total            counter  TLS records sealed
///     belfry_connections_own_records_total   counter  opened, and sealed without OpenSSL's session
///     belfry_frames_received_total           counter
///     belfry_sessions_opened_total           counter
///     belfry_sessions_fell_behind_total      counter
///     belfry_device_errors_total             counter  {error}: ERROR and refusals in RESULT
///     belfry_deliveries_total                counter  entries written
///     belfry_deliveries_transient_total      counter  of these, with time to live 0
///     belfry_deliveries_acknowledged_total   counter
///     belfry_matches_not_delivered_total     counter  {reason}: expired, same, missed, oversized
///     belfry_parcels_made_total              counter  renderings and encodings
///     belfry_selections_total                counter
///     belfry_flushes_total                   counter
///     belfry_log_pages_read_total            counter
///     belfry_losses_told_total               counter  GAP within a session
///     belfry_handles_proven_total            counter  handles of direct sends
///     belfry_receipts_total                  counter  {event}: its number
///     belfry_registrations                   gauge    {hub}
///     belfry_registrations_unknown_handle    gauge    {hub}: of these, with a handle of nobody's
///     belfry_registrations_undeliverable     gauge    {hub}: whose template compiles no more
///     belfry_devices                         gauge    {hub}: that registered or acknowledged
///     belfry_device_sessions                 gauge    {hub}: as the directory knows them
///     belfry_tags                            gauge    {hub}: different ones
///     belfry_schedules                       gauge    {hub}: notifications that wait for their time
///     belfry_idempotency_keys                gauge    {hub}: in memory
///     belfry_lapses                          gauge    {hub}: queue of what lapses, stale ones too
///     belfry_writer_waiting                  gauge    {hub}: requests
///     belfry_log_first                       gauge    {hub}: lowest sequence number
///     belfry_log_head                        gauge    {hub}: highest one
///     belfry_log_bytes                       gauge    {hub}: bytes of its files, about
///     belfry_cursor_lag_mean                 gauge    {hub}: records that devices are behind it
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
