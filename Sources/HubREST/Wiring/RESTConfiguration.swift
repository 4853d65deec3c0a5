package import HubModel
package import HubRules
package import HubVocabulary

/// The wiring's orders to the REST edge; everything has a working default but the host.
package struct RESTConfiguration: Sendable {
    /// Host with port, used in `Location` where a request brings no usable `Host`.
    package var externalHost: String
    /// Bytes of a request body; above is 413.
    ///
    /// Source: rules C.5.
    package var bodyBytesMax = 65_536
    /// Time in which a whole body must have arrived; later is 408.
    ///
    /// Source: rules E.
    package var bodyDeadline = Duration.seconds(30)
    /// Time that the body of a refused request has; the answer waits no longer for it.
    package var refusedBodyDeadline = Duration.milliseconds(500)
    /// Entries of a list when `$top` is absent.
    ///
    /// Source: REST §4.8.
    package var pageDefault = 100
    /// Entries of a list at most, whatever `$top` says.
    package var pageMax = CoreLimits.standard.registrations.pageRegistrationsMax
    /// Limits for the core's rules of registrations and sends.
    package var limits: CoreLimits {
        get { limitsInForce.present }
        set { limitsInForce = LimitsInForce(newValue) }
    }
    /// The same limits, which the wiring may change while requests are answered.
    package var limitsInForce = LimitsInForce(.standard)
    /// Places that bulk jobs may read and write.
    ///
    /// Source: REST §13.
    package var jobPlaces = JobPlaces()
    /// Makes codes for the console; nil where there is none.
    package var consoleCodes: (any ConsoleCodes)?
    /// Begins the trace of a request with its `traceparent`; nil where none is traced.
    package var trace: (@Sendable (_ parent: [UInt8]?) -> RequestTrace?)?
    /// Told of every answer, on the thread that made it, for counting; must not block.
    package var onAnswer: @Sendable (RESTEvent) -> Void = { _ in }

    /// Told of each change by an administrator; its answer waits for the end of this.
    package var onAdministration: @Sendable (RESTEvent) async -> Void = { _ in }

    /// Told of the lines of each request with many sends, as `onAnswer`; must not block.
    package var onSendLines: @Sendable (SendLineCount) -> Void = { _ in }

    /// The defaults, with the host and port under which clients reach the server.
    package init(externalHost: String) { self.externalHost = externalHost }
}
