package import HubHistory

extension HubEvent.Kind {
    /// The event of a request that was refused, or was a change; nil for any other.
    package init?(_ event: RESTEvent) {
        if event.status >= 400 {
            self = .refused(
                operation: event.operation,
                status: event.status,
                code: event.subCode,
                tracking: event.trackingID
            )
        } else {
            guard event.isAdministrative else { return nil }
            self = .changed(
                operation: event.operation,
                rule: event.rule ?? "",
                tracking: event.trackingID
            )
        }
    }
}
