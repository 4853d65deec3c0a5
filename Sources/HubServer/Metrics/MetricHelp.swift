/// What each number means, by its label; an operator reads it beside the number.
enum MetricHelp {
    /// One line each, without a backslash.
    static let texts: [String: String] = server.merging(hub) { first, _ in first }

    /// Of the whole server.
    private static let server: [String: String] = [
        "belfry_accept_pauses_total":
            "No descriptors were left, so nobody was accepted for a moment.",
        "belfry_connections": "Device connections in any state.",
        "belfry_connections_accepted_total": "Device connections accepted.",
        "belfry_connections_own_records_total":
            "Device connections opened whose records are sealed without OpenSSL's session.",
        "belfry_connections_refused_total":
            "Device connections refused for a limit, or because there were no resources.",
        "belfry_connections_unread_total":
            "Device connections closed because their output was not read.",
        "belfry_cpu_seconds_total": "CPU time of the process, user and system.",
        "belfry_deliveries_acknowledged_total": "Entries that devices have acknowledged.",
        "belfry_deliveries_total": "Entries written to devices.",
        "belfry_deliveries_transient_total": "Entries written that are now or never.",
        "belfry_device_bytes_in_total": "Bytes from devices, as TLS records.",
        "belfry_device_bytes_out_total": "Bytes to devices, as TLS records.",
        "belfry_device_errors_total": "ERROR frames and refused requests of devices.",
        "belfry_device_records_total": "TLS records sealed for devices.",
        "belfry_device_send_batches_total": "Many sends in one call, through io_uring.",
        "belfry_device_sends_blocked_total": "Sends that the kernel did not take in full.",
        "belfry_device_sends_total": "Sends to devices' sockets.",
        "belfry_flushes_total": "Times a session was given what waited for it.",
        "belfry_frames_received_total": "Frames from devices.",
        "belfry_handles_proven_total": "Handles of direct sends whose proof was computed.",
        "belfry_handshakes_failed_total": "TLS handshakes of devices that failed.",
        "belfry_log_pages_read_total": "Pages of the log read for devices that were away.",
        "belfry_losses_told_total": "Times a device was told of a gap within a session.",
        "belfry_matches_not_delivered_total":
            "Entries that were not sent: expired, the same again, missed, oversized, damaged.",
        "belfry_memory_anonymous_bytes": "Memory of the process that no file stands behind.",
        MetricRegistry.refusedLabel: "Series for which there was no room.",
        "belfry_open_files_max": "Files the process may have open.",
        "belfry_parcels_made_total": "Renderings and encodings of notifications.",
        "belfry_problems": "What keeps the server from accepting sends; /healthz says what it is.",
        "belfry_receipts_total":
            "Receipts of devices by their number in the protocol, 2 is displayed.",
        "belfry_rest_connections_refused_total":
            "REST connections refused because their address had too many.",
        "belfry_rest_requests_total":
            "Answered REST requests by operation, status and sub code.",
        "belfry_send_lines_total":
            "Lines of requests with many sends, by the status and sub code of each.",
        "belfry_selections_total": "Audiences selected from the tag index.",
        "belfry_sessions_catching_up": "Sessions behind the head of the log.",
        "belfry_sessions_fell_behind_total": "Times a session left the head of the log.",
        "belfry_sessions_live": "Sessions at the head of the log.",
        "belfry_sessions_opened_total": "Sessions opened.",
        "belfry_start_time_seconds": "When the process began, in seconds since 1970.",
    ]

    /// Of one hub each.
    private static let hub: [String: String] = [
        "belfry_cursor_lag_mean":
            "Records that devices are behind the head of the log, on average.",
        "belfry_device_sessions": "Sessions of devices that the hub's directory knows.",
        "belfry_devices": "Devices that registered or acknowledged.",
        "belfry_directory_events_total": "What a hub's directory told; the log has the details.",
        "belfry_idempotency_keys": "Idempotency keys in memory.",
        "belfry_installations": "Installations.",
        "belfry_lapses": "Entries in the queue of what lapses.",
        "belfry_log_bytes": "Bytes of the log's files, about.",
        "belfry_log_first": "Lowest sequence number of the log.",
        "belfry_log_head": "Highest sequence number of the log.",
        "belfry_registrations": "Registrations.",
        "belfry_registrations_undeliverable": "Registrations whose template compiles no more.",
        "belfry_registrations_unknown_handle": "Registrations with a handle of nobody's.",
        "belfry_schedules": "Notifications that wait for their time.",
        "belfry_tags": "Different tags.",
        "belfry_writer_waiting": "Requests that wait for the hub's writer.",
    ]
}
