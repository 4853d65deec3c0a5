package import HubTags

/// Every limit of the core, by subject; a hub may be given other values, the defaults are these.
///
/// Going over one is an ordinary, typed refusal. Constants whose change would break stored data
/// or the wire are not here but beside the format they belong to.
package struct CoreLimits: Equatable, Sendable {
    /// Registrations and tags of one hub; an operator may set others.
    package var quota = HubQuota()
    /// Limits on tags and tag expressions.
    ///
    /// `tagsPerRegistrationMax` is what devices are told and held to; over REST `tagsBytesMax`
    /// and `tagsMax` decide. Source: REST reference §6.1, §18.
    package var tags = TagLimits.standard
    /// Limits of a namespace: its hubs, their access rules and tokens.
    package var namespace = NamespaceLimits()
    /// Limits of registrations, of lists of them, and of those that a hub remembers.
    package var registrations = RegistrationLimits()
    /// Limits of installations, of patches and lists of them.
    package var installations = InstallationLimits()
    /// Limits of questions that look at many registrations, records or handles.
    package var inspection = InspectionLimits()
    /// Limits of one send.
    package var sends = SendLimits()
    /// Limits of requests with many handles, or with many sends.
    package var batches = BatchLimits()
    /// Limits of idempotency keys.
    package var idempotency = IdempotencyLimits()
    /// Limits of scheduled sends.
    package var schedules = ScheduleLimits()
    /// Limits of bulk jobs.
    package var jobs = JobLimits()
    /// Limits of devices, of what is kept for them, and of their absence.
    package var devices = DeviceLimits()
    /// Limits of a hub's log and its writer.
    package var log = LogLimits()
    /// Limits of the journal of departures, and of the container of feedback.
    package var feedback = FeedbackLimits()
    /// Limits of counters and receipts.
    package var telemetry = TelemetryLimits()

    /// The defaults.
    package init() {}

    /// The defaults, for those who change none.
    package static let standard = CoreLimits()

    /// Bytes of one of its lines: what a send of its own may have as its body has room in it however
    /// it is spelled, each byte as `\u00XX` too.
    ///
    /// Source: rules C.5.
    package var sendLineBytesMax: Int { 6 * sends.requestBodyBytesMax + Self.sendLineRestBytes }
    /// Bytes of what a line says beside its body.
    private static let sendLineRestBytes = 65_536

    /// Has tag expressions be larger than by default; nil leaves a limit.
    ///
    /// Source: rules C.4.
    package mutating func allowExpressions(tagsOrOnly: Int?, tagsMixed: Int?, bytes: Int?) {
        if let tagsOrOnly { tags.expressionTagsOrOnlyMax = tagsOrOnly }
        if let tagsMixed { tags.expressionTagsMixedMax = tagsMixed }
        if let bytes { tags.expressionBytesMax = bytes }
    }

    /// The largest tag expressions, as `allowExpressions` takes them.
    package var expressions: (tagsOrOnly: Int, tagsMixed: Int, bytes: Int) {
        (tags.expressionTagsOrOnlyMax, tags.expressionTagsMixedMax, tags.expressionBytesMax)
    }
}
