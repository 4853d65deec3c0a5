import HubDelivery
import HubModel
import HubTransport

/// The numbers of a server and their meanings: one row for each.
///
/// A number without a row is seen by no operator; the tests look for one.
enum MetricTable {
    /// The meaning of each label; an operator reads it beside the number.
    static let help: [String: String] = {
        var help = others
        for row in reports { help[row.label] = row.help }
        for row in transport { help[row.label] = row.help }
        for row in shards { help[row.label] = row.help }
        for row in hubs { help[row.label] = row.help }
        return help
    }()

    /// Of a shard at one moment.
    static let reports: [MetricRow<ShardReport>] = [
        .init(.gauge, "belfry_connections", "Device connections in any state.", \.connections),
        .init(.gauge, "belfry_sessions_live", "Sessions at the head of the log.", \.live),
        .init(
            .gauge,
            "belfry_sessions_catching_up",
            "Sessions behind the head of the log.",
            \.catchingUp
        ),
    ]

    /// Of a shard since it began: its connections.
    static let transport: [MetricRow<TransportStatistics>] = [
        .init(
            .counter,
            "belfry_connections_accepted_total",
            "Device connections accepted.",
            \.accepted
        ),
        .init(
            .counter,
            "belfry_connections_unread_total",
            "Device connections closed because their output was not read.",
            \.unread
        ),
        .init(
            .counter,
            "belfry_connections_yielded_total",
            "Device connections without proof that were closed for newer ones.",
            \.yielded
        ),
        .init(
            .counter,
            "belfry_accept_pauses_total",
            "Times that accepting paused because no file descriptor was left.",
            \.acceptPauses
        ),
        .init(
            .counter,
            "belfry_device_bytes_in_total",
            "Bytes from devices, as TLS records.",
            \.bytesIn
        ),
        .init(
            .counter,
            "belfry_device_bytes_out_total",
            "Bytes to devices, as TLS records.",
            \.bytesOut
        ),
        .init(.counter, "belfry_device_sends_total", "Sends to devices' sockets.", \.sends),
        .init(
            .counter,
            "belfry_device_sends_blocked_total",
            "Sends that the kernel did not take in full.",
            \.blockedSends
        ),
        .init(
            .counter,
            "belfry_device_send_batches_total",
            "Many sends in one call, through io_uring.",
            \.ringBatches
        ),
        .init(
            .counter,
            "belfry_device_records_total",
            "TLS records sealed for devices.",
            \.records
        ),
        .init(
            .counter,
            "belfry_connections_own_records_total",
            "Device connections opened whose records are sealed without OpenSSL's session.",
            \.handedOver
        ),
    ]

    /// Of a shard since it began: its devices.
    static let shards = ShardCounters.rows.map { row in
        MetricRow(.counter, row.label, row.help, row.field, reason: row.reason)
    }

    /// Of a hub at one moment.
    static let hubs: [MetricRow<DirectoryGauges>] = [
        .init(.gauge, "belfry_registrations", "Registrations.", \.registrations),
        .init(.gauge, "belfry_installations", "Installations.", \.installations),
        .init(
            .gauge,
            "belfry_registrations_unknown_handle",
            "Registrations with a push handle that belongs to no device of the hub.",
            \.unknownHandles
        ),
        .init(
            .gauge,
            "belfry_registrations_undeliverable",
            "Registrations whose template compiles no more.",
            \.undeliverable
        ),
        .init(.gauge, "belfry_devices", "Devices that registered or acknowledged.", \.devices),
        .init(
            .gauge,
            "belfry_device_sessions",
            "Sessions of devices that the hub's directory knows.",
            \.sessions
        ),
        .init(.gauge, "belfry_tags", "Different tags.", \.tags),
        .init(.gauge, "belfry_schedules", "Notifications that wait for their time.", \.schedules),
        .init(.gauge, "belfry_idempotency_keys", "Idempotency keys in memory.", \.idempotencyKeys),
        .init(.gauge, "belfry_lapses", "Entries in the queue of what lapses.", \.lapses),
        .init(
            .gauge,
            "belfry_writer_waiting",
            "Requests that wait for the hub's writer.",
            \.waiting
        ),
        .init(.gauge, "belfry_log_first", "Lowest sequence number of the log.", \.logFirst),
        .init(.gauge, "belfry_log_head", "Highest sequence number of the log.", \.logHead),
        .init(.gauge, "belfry_log_bytes", "Bytes of the log's files, about.", \.logBytes),
        .init(
            .gauge,
            "belfry_cursor_lag_mean",
            "Records that devices are behind the head of the log, on average.",
            \.cursorLagMean
        ),
    ]

    /// Labels without a field: counted as things happen, or read from the system.
    private static let others = [
        "belfry_build_info":
            "1, with the version of the release.",
        "belfry_certificate_not_after_seconds":
            "When the certificate ends that clients are shown, in seconds since 1970.",
        "belfry_connections_refused_total":
            "Device connections refused for a limit, or because there were no resources.",
        "belfry_copy_behind_groups":
            "Groups that the copy of a node that waits lacked at its last look.",
        "belfry_copy_cursors_warm":
            "1 while a node that waits could lead the hub without reading cursors of devices either.",
        "belfry_copy_warm":
            "1 while a node that waits could lead the hub without reading its registrations.",
        "belfry_cpu_seconds_total":
            "CPU time of the process, user and system.",
        "belfry_database_events_total":
            "Times that a hub's database was lost or regained, a commit in doubt, or a copy filled.",
        "belfry_delivery_acknowledged_seconds":
            "From a device's connection to its acknowledgement, for the last entry of each.",
        "belfry_delivery_written_seconds":
            "From stable storage to the connection of each device at the head of the log.",
        "belfry_device_errors_total":
            "ERROR frames and refused requests of devices.",
        "belfry_relay_answers_total":
            "Requests that the push service took or refused.",
        "belfry_relay_behind_records":
            "Notifications that the relay to a push service has not taken up.",
        "belfry_relay_certificate_not_after_seconds":
            "When the certificate ends that is shown to APNs, in seconds since 1970.",
        "belfry_relay_credential_refused":
            "1 from a refusal of the credential until the push service takes or refuses a request.",
        "belfry_relay_deferred":
            "Notifications whose device asked its push service for a pause.",
        "belfry_relay_oldest_seconds":
            "Age of the oldest notification that the relay is sending, 0 without one.",
        "belfry_relay_open_records":
            "Notifications that the relay is sending.",
        "belfry_relay_resting":
            "1 while the relay sends nothing: the service, the credential or the store stops it.",
        "belfry_relay_waiting":
            "Requests that the relay has yet to make for the notifications it is sending.",
        "belfry_disk_free_bytes":
            "Free bytes on the disk of the data folder.",
        "belfry_front_connections_total":
            "Devices' connections that a node had for the one that leads, by what became of them.",
        "belfry_front_connections_open":
            "Devices' connections that a node passes on to the one that leads.",
        "belfry_front_requests_total":
            "Requests that a node had for the one that leads, by what became of them.",
        "belfry_front_requests_open":
            "Requests that a node has under way for the one that leads.",
        "belfry_handshakes_failed_total":
            "TLS handshakes of devices that failed.",
        "belfry_hubs_opened_total":
            "Hubs of a database that this node began to lead, by what it had of them.",
        "belfry_lead_events_total":
            "Times that this node took or lost the lead, missed the leader, or saw a clock set.",
        "belfry_leads":
            "1 while this node leads the hubs of its database.",
        "belfry_lease_left_seconds":
            "How long the node still believes that no other can lead.",
        "belfry_term":
            "The number of the node's lead; each next leader's is higher.",
        "belfry_log_lines_dropped_total":
            "Lines of the log that were left out because its reader was too slow.",
        "belfry_memory_anonymous_bytes":
            "Memory of the process that is not backed by a file.",
        "belfry_open_files_max":
            "Files the process may have open.",
        "belfry_problems":
            "What keeps the server from accepting sends; /healthz says what it is.",
        "belfry_receipts_total":
            "Receipts of devices by their number in the protocol, 2 is displayed.",
        "belfry_rest_connections_refused_total":
            "REST connections refused because their address had too many.",
        "belfry_rest_proxy_headers_refused_total":
            "REST connections of balancers that were closed for want of a PROXY header.",
        "belfry_rest_connections_yielded_total":
            "REST connections that finished nothing and were closed for others.",
        "belfry_rest_requests_total":
            "Answered REST requests by operation, status and sub code.",
        "belfry_send_lines_total":
            "Lines of requests with many sends, by the status and sub code of each.",
        "belfry_send_stored_seconds":
            "From a send's arrival at its hub to stable storage, when it is answered.",
        "belfry_start_time_seconds":
            "When the process began, in seconds since 1970.",
        "belfry_trace_spans_total":
            "Spans that the collector of traces has taken.",
        "belfry_trace_spans_dropped_total":
            "Spans that are lost: they were too many, or the collector refused them.",
        "belfry_directory_events_total":
            "What a hub's directory told; the log has the details.",
        MetricRegistry.refusedLabel: "Series for which there was no room.",
    ]
}
