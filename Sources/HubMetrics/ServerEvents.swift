package import HubModel
package import HubREST
package import HubTraces
import HubTransport
package import HubVocabulary
package import Logging
package import Metrics
import Synchronization

/// Events that operators read and count; never a secret, handle or payload.
package enum ServerEvents {
    /// A request's series; there are as many as operations and their answers.
    private struct Kind: Hashable {
        var operation: String
        var status: Int
        var subCode: Int
    }

    private static let requests = Mutex<[Kind: Counter]>([:])

    /// Counts an answered request.
    package static func count(_ event: RESTEvent) {
        let kind = Kind(
            operation: event.operation,
            status: event.status,
            subCode: event.subCode
        )
        requests.withLock { requests in
            if let known = requests[kind] { return known.increment() }
            let made = Counter(
                label: "belfry_rest_requests_total",
                dimensions: [
                    ("operation", kind.operation), ("status", "\(kind.status)"),
                    ("code", "\(kind.subCode)"),
                ]
            )
            made.increment()
            requests[kind] = made
        }
    }

    /// Logs an answered request: refusals and administrators' changes at info, all at debug.
    package static func log(_ event: RESTEvent, to logger: Logger) {
        let isRefused = event.status >= 400
        let level: Logger.Level =
            event.status >= 500 ? .warning : isRefused || event.isAdministrative ? .info : .debug
        // The values of a line that is not written cost nothing.
        guard logger.logLevel <= level else { return }
        var metadata: Logger.Metadata = [
            "operation": "\(event.operation)", "status": "\(event.status)",
            "tracking": "\(event.trackingID)",
            "milliseconds": "\(event.duration / .milliseconds(1))",
        ]
        if event.subCode != 0 { metadata["code"] = "\(event.subCode)" }
        if let hub = event.hub { metadata["hub"] = "\(hub)" }
        if let rule = event.rule { metadata["rule"] = "\(rule)" }
        let message: Logger.Message =
            isRefused ? "refused" : event.isAdministrative ? "administration" : "request"
        logger.log(level: level, message, metadata: metadata)
    }

    /// Counts the lines of a request with many sends; the request itself counts once.
    package static func count(
        _ lines: SendLineCount,
        factory: any MetricsFactory = MetricsSystem.factory
    ) {
        Counter(
            label: "belfry_send_lines_total",
            dimensions: [("status", "\(lines.status)"), ("code", "\(lines.subCode)")],
            factory: factory
        ).increment(by: lines.count)
    }

    /// Ends the trace of an answered request, if it has one and its token was right: strangers fill
    /// no collector.
    package static func trace(_ event: RESTEvent, to traces: Tracer?) {
        guard let trace = event.trace, event.rule != nil else { return }
        let request = TracedRequest(
            operation: event.operation,
            status: event.status,
            tracking: event.trackingID,
            hub: event.hub
        )
        traces?.answered(trace, request, at: Clock.now.instant)
    }

    /// Counts spans that left for the collector, and those that are lost.
    package static func count(_ spans: TraceExporter.Outcome) {
        if spans.exported > 0 {
            Counter(label: "belfry_trace_spans_total").increment(by: spans.exported)
        }
        if spans.dropped > 0 {
            Counter(label: "belfry_trace_spans_dropped_total").increment(by: spans.dropped)
        }
    }

    private static let refusedConnections = "belfry_rest_connections_refused_total"
    private static let yieldedConnections = "belfry_rest_connections_yielded_total"
    /// The labels of events for which an alarm rings.
    static let alarming = [
        "changes_refused", "records_refused", "read_refused", "checkpoint_refused",
        "forgetting_refused", "tidying_refused", "log_too_large", "lists_damaged",
    ]

    /// Begins at zero what alarms of a server compare: of a series that is not there yet, the first
    /// event is no growth.
    package static func begin() {
        for label in [refusedConnections, yieldedConnections] { _ = Counter(label: label) }
    }

    /// The same for a hub.
    package static func begin(_ hub: HubName) {
        for event in alarming { _ = counter(of: event, in: hub) }
    }

    private static func counter(of event: String, in hub: HubName) -> Counter {
        Counter(
            label: "belfry_directory_events_total",
            dimensions: [("hub", hub.description), ("event", event)]
        )
    }

    /// Counts a REST connection that its address has no place for.
    package static func countRefusedConnection() { Counter(label: refusedConnections).increment() }

    /// Counts a REST connection of a balancer that did not say for whom it is.
    package static func countRefusedHeader() {
        Counter(label: "belfry_rest_proxy_headers_refused_total").increment()
    }

    /// A connection that finished nothing gave way to others.
    package static func countYieldedConnection() { Counter(label: yieldedConnections).increment() }

    /// The label of what readers of events are told; nil for what happens all the time.
    package static func told(_ event: DirectoryEvent) -> String? {
        if case .schedulesFired = event { return event.label }
        return event.severity >= .warning ? event.label : nil
    }

    /// Counts what a directory tells, and logs what an operator should look at.
    package static func report(_ event: DirectoryEvent, of hub: HubName, to logger: Logger) {
        counter(of: event.label, in: hub).increment()
        let metadata: Logger.Metadata = ["hub": "\(hub)", "event": "\(event)"]
        switch event.severity {
        case .error: logger.error("directory", metadata: metadata)
        case .warning: logger.warning("directory", metadata: metadata)
        default: logger.debug("directory", metadata: metadata)
        }
    }
}

extension DirectoryEvent {
    /// A label for counting.
    fileprivate var label: String {
        switch self {
        case .changesRefused: "changes_refused"
        case .recordsRefused: "records_refused"
        case .readRefused: "read_refused"
        case .checkpointRefused: "checkpoint_refused"
        case .telemetryDropped: "telemetry_dropped"
        case .receiptsIgnored: "receipts_ignored"
        case .undeliverableTemplate: "undeliverable_template"
        case .unknownHandle: "unknown_handle"
        case .historyForkSuspected: "history_fork_suspected"
        case .takenOver: "taken_over"
        case .duplicateDevice: "duplicate_device"
        case .revokedKey: "revoked_key"
        case .staleSession: "stale_session"
        case .limitReached: "limit_reached"
        case .queueFull: "queue_full"
        case .expired: "expired"
        case .deviceForgotten: "device_forgotten"
        case .schedulesFired: "schedules_fired"
        case .forgettingRefused: "forgetting_refused"
        case .recordsRemoved: "records_removed"
        case .tidyingRefused: "tidying_refused"
        case .logTooLarge: "log_too_large"
        case .listsDamaged: "lists_damaged"
        }
    }

    fileprivate var severity: Logger.Level {
        switch self {
        case .changesRefused, .recordsRefused, .readRefused, .checkpointRefused,
            .forgettingRefused, .tidyingRefused, .listsDamaged:
            .error
        case .historyForkSuspected, .duplicateDevice, .undeliverableTemplate, .queueFull,
            .limitReached, .telemetryDropped, .logTooLarge:
            .warning
        case .receiptsIgnored, .unknownHandle, .takenOver, .revokedKey, .staleSession, .expired,
            .schedulesFired,
            .deviceForgotten, .recordsRemoved:
            .debug
        }
    }
}
