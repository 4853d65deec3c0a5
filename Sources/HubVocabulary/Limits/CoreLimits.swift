package import HubTags
import HubWire

/// Every limit of the core, by name; a hub may be given other values, the defaults are these.
///
/// Going over one is an ordinary, typed refusal. Constants whose change would break stored data
/// or the wire are not here but beside the format they belong to.
package struct CoreLimits: Equatable, Sendable {
    // MARK: Access

    /// Bytes of an `Authorization` header or a device's token.
    ///
    /// Device SDKs sign whole URLs with query, so this is generous.
    package var tokenBytesMax = 8_192
    /// Seconds for which a token is still taken after its expiry, for slow clocks.
    ///
    /// Source: REST reference §3.4.
    package var tokenSkewSeconds: UInt64 = 60
    /// Access rules of one hub, and of the namespace.
    ///
    /// Source: REST reference §3.5.
    package var accessRulesMax = 12
    /// Characters of an access rule's name and of a key.
    ///
    /// Source: REST reference §3.5.
    package var accessTextMax = 256

    // MARK: Hubs

    /// Hubs of one namespace; each has two threads, its files and a part of every shard.
    package var hubsMax = 100
    /// Hubs of one page of a list.
    package var pageHubsMax = 100
    /// Characters that administrators may note with a hub.
    ///
    /// Source: REST reference §15.
    package var hubMetadataMax = 1_024

    // MARK: Registrations

    /// Registrations and tags of one hub; an operator may set others.
    package var quota = HubQuota()
    /// Bytes of all tags of a registration, joined by commas.
    ///
    /// Source: REST reference §4.15.
    package var tagsBytesMax = 8_000
    /// Tags of a registration, over REST; the size of sets decides what joining two costs.
    package var tagsMax = 256
    /// Limits on tags and tag expressions.
    ///
    /// `tagsPerRegistrationMax` is what devices are told and held to; over REST `tagsBytesMax`
    /// and `tagsMax` decide. Source: REST reference §6.1, §18.
    package var tags = TagLimits.standard
    /// Bytes of a push handle, whatever its platform.
    package var handleBytesMax = 4_096
    /// Bytes of a template's name.
    ///
    /// Source: rules C.4.
    package var templateNameBytesMax = 200
    /// Bytes of all headers of a template registration, each counted with two bytes more.
    ///
    /// With those of a send they fit a parcel's options.
    package var templateHeadersBytesMax = 2_000
    /// Push variables of a registration.
    package var pushVariablesMax = 32
    /// Bytes of one push variable's value.
    package var pushVariableBytesMax = 1_024
    /// Platform fields of a registration: browser keys, Baidu's message type.
    package var platformFieldsMax = 8
    /// Bytes of a secondary tile's name and of each further platform field.
    package var platformFieldBytesMax = 1_024
    /// REGISTER, UNREGISTER and TAGS of one device, over all its connections.
    ///
    /// Source: Protocol [S-6].
    package var deviceChanges = RateLimit(
        perSecond: WireLimits.changesPerSecond,
        burst: WireLimits.changesBurst
    )
    /// Registrations made over REST or by installations for one handle.
    ///
    /// Source: rules C.1.
    package var restRegistrationsPerHandle = 32
    /// Bytes of an installation's document as it is stored.
    package var installationBytesMax = 65_536
    /// Bytes of the registrations that follow from it; each repeats push variables and handle.
    package var installationExpandedBytesMax: Int { 8 * installationBytesMax }
    /// Templates of one push channel of an installation; with the native one they fit a handle.
    package var installationTemplatesMax = 31
    /// Secondary tiles of an installation.
    package var installationTilesMax = 8
    /// Names of a map in an installation's document: push variables, headers of a template.
    package var installationPairsMax = 64
    /// Operations of one patch.
    package var patchOperationsMax = 1_000
    /// Installations that one page of a list looks at.
    package var installationScanMax = 10_000
    /// Former tag sets kept per registration.
    ///
    /// Source: rules A.6.
    package var formerTagSetsMax = 64
    /// Bytes of all former tag sets of a registration: they are written with each change of it, and
    /// every catch-up looks for all their tags.
    package var formerTagBytesMax = 65_536
    /// Numbers of registrations, living or deleted, that one page of a list looks at.
    package var registrationScanMax = 10_000
    /// Registrations of one page of a list.
    package var pageRegistrationsMax = 100

    /// Registrations that a directory remembers of those that it read or wrote last.
    package var registrationsRememberedMax = 1_024
    /// Bytes of one that is remembered, about; a larger one is read again each time.
    package var registrationRememberedBytesMax = 16_384

    /// Registrations, or numbers of tags, that one part of an inspection looks at: a few
    /// milliseconds of the hub's writer.
    package var inspectedPerPart = 10_000
    /// Tags of one page of the list of tags.
    package var pageTagsMax = 1_000
    /// Registrations of a sample.
    package var sampleMax = 100

    /// Changes and records of one group of the hub's writer at most, each.
    ///
    /// Source: rules A.2.
    package var groupMax = 128

    // MARK: Sends

    /// Bytes of a request's body.
    ///
    /// Source: rules C.5.
    package var requestBodyBytesMax = 65_536
    /// Bytes of a native payload, and of each rendered one.
    ///
    /// Source: rules C.5.
    package var payloadBytesMax = 8_192
    /// Nesting of JSON that a request may have; XML has `TemplateLimits.depthMax`.
    package var nestingMax = 64
    /// Seconds a notification lives when nothing says otherwise: 7 days.
    ///
    /// Source: rules C.8.
    package var timeToLiveDefaultSeconds: UInt32 = 604_800
    /// Seconds a notification may live at most: 28 days.
    ///
    /// Source: rules C.8.
    package var timeToLiveMaxSeconds: UInt32 = 2_419_200
    /// Bytes of a collapse key.
    ///
    /// Source: Protocol, parcels.
    package var collapseKeyBytesMax = 64
    /// Headers handed through to devices with one notification.
    package var passedHeadersMax = 16
    /// Bytes of the name, and of the value, of each of them.
    package var passedHeaderBytesMax = 255
    /// Bytes of all of them, each counted with two bytes more.
    package var passedHeadersBytesMax = 2_048
    /// Bytes of a `Content-Type` header.
    package var contentTypeBytesMax = 255
    /// Handles of one direct send.
    ///
    /// Source: rules A.7.
    package var directHandlesMax = 1_000
    /// Bytes of a batch send's body: 1,000 handles of about a thousand bytes, and the payload.
    ///
    /// Source: rules A.7, C.5.
    package var batchBodyBytesMax = 1_048_576
    /// Lines of a request with many sends.
    ///
    /// The hub's writer commits them in groups of `groupMax`, others' work between them.
    package var sendLinesMax = 1_000
    /// Bytes of the body of such a request.
    package var sendLinesBytesMax = 4_194_304
    /// Bytes of one of its lines: what a send of its own may have as its body has room in it however
    /// it is spelled, each byte as `\u00XX` too.
    ///
    /// Source: rules C.5.
    package var sendLineBytesMax: Int { 6 * requestBodyBytesMax + Self.sendLineRestBytes }
    /// Bytes of what a line says beside its body.
    private static let sendLineRestBytes = 65_536
    /// Headers of one of its lines.
    package var sendLineHeadersMax = 64
    /// Parts of a multipart body.
    package var multipartPartsMax = 8
    /// Bytes of one part's headers.
    package var multipartHeadBytesMax = 4_096
    /// Bytes of an `Idempotency-Key`.
    ///
    /// Source: rules B.14.
    package var idempotencyKeyBytesMax = 64
    /// Seconds for which an idempotency key is kept: 24 hours.
    ///
    /// Source: rules B.14.
    package var idempotencyKeptSeconds: UInt64 = 86_400
    /// Idempotency keys of one hub in memory, the newest ones; older ones are looked up in the
    /// store.
    package var idempotencyKeysMax = 262_144

    // MARK: Scheduled sends

    /// Seconds by which a send may be scheduled ahead: 7 days.
    ///
    /// Source: REST reference §11.
    package var scheduleHorizonSeconds: UInt64 = 604_800
    /// Scheduled notifications of one hub that wait.
    package var schedulesMax = 100_000
    /// Bytes of their payloads and headers, each counted with 512 bytes more: they wait in memory.
    package var scheduleBytesMax = 134_217_728
    /// Cancelled ones whose telemetry is kept, the newest.
    package var cancelledKeptMax = 1_000
    /// Scheduled notifications of one page of a list.
    package var pageSchedulesMax = 100

    /// Registrations that a test send reaches.
    ///
    /// Source: REST reference §10.
    package var testSendsMax = 10
    /// Test sends of a hub in a minute; more are told when to come again.
    ///
    /// Source: REST reference §10, §15.
    package var testSendsPerMinute = 10

    // MARK: Bulk jobs

    /// Bulk jobs of one hub that are not finished; one of them is being carried out.
    package var jobsOpenMax = 16
    /// Bulk jobs that a hub remembers; the oldest finished ones go first.
    package var jobsKeptMax = 100
    /// Bytes of one line of an import; longer ones are refused.
    package var jobLineBytesMax = 65_536
    /// Bytes of what an import reads.
    package var jobInputBytesMax: UInt64 = 4_294_967_296
    /// Bytes of what a job writes, refused lines apart.
    package var jobOutputBytesMax: UInt64 = 4_294_967_296
    /// Characters of why a job failed.
    package var jobFailureCharactersMax = 500
    /// Properties that a caller may note with a job.
    package var jobPropertiesMax = 16
    /// Bytes of the name, and of the value, of each of them.
    package var jobPropertyBytesMax = 1_024
    /// Lines of an import that wait for the hub at once.
    package var jobLinesAtOnce = 64

    // MARK: Devices

    /// Notifications kept for one absence of a device.
    ///
    /// Source: the promise of the rules.
    package var deviceCap = 10_000
    /// The largest cap that an operator may set.
    package var deviceCapMax = 100_000
    /// Days without a sign of life after which a device and its registrations go.
    ///
    /// Source: rules C.2.
    package var deviceIdleDays: UInt64 = 90
    /// Hours after the hub's start before the first device goes: those that could not connect while
    /// it was off come back within minutes.
    package var deviceIdleGraceHours: UInt64 = 24
    /// Bytes of bodies that may wait for a hub's writer; what comes beyond is asked to come later.
    package var waitingBytesMax = 128 << 20
    /// Devices looked at in one step of the writer.
    package var idleDevicesPerStep = 32

    /// Records of the log, at most, that are read again to count what a device had stored before the
    /// hub heard of it.
    ///
    /// Source: rules B.4.
    package var recountRecordsMax: UInt64 = 65_536

    /// Records that an explanation looks at to find the one that replaced another.
    package var explainedRecordsMax = 1_024
    /// Places in lists that it compares to find these.
    package var explainedPlacesMax = 262_144

    // MARK: Feedback

    /// Seconds for which it is known that a registration ended by itself: 10 days.
    ///
    /// Source: REST reference §12.
    package var departuresKeptSeconds: UInt64 = 864_000
    /// Departures that a hub remembers; the oldest go first.
    package var departuresMax: UInt64 = 250_000
    /// Departures of one blob of the container.
    package var departuresPerPart: UInt64 = 1_000
    /// Departures that one question reads: a few milliseconds of the hub's writer.
    package var departuresPerAnswer = 250
    /// Blobs that one question finds.
    package var departurePartsPerAnswer = 64
    /// Blobs of one page of the container's list.
    package var pageBlobsMax = 32
    /// Registrations or handles that one part of a search for failed deliveries looks at closely.
    package var failuresPerPart = 100
    /// Those that a whole search looks at closely; it says when that was not enough.
    package var failuresExaminedMax = 20_000
    /// Failed deliveries that a whole search tells; it says when there may be more.
    package var failureLinesMax = 10_000
    /// Seconds for which a link into the feedback holds: 5 days.
    ///
    /// Source: REST reference §12.
    package var feedbackLinkSeconds: UInt64 = 432_000

    // MARK: The log

    /// Seconds for which a record is kept after its acceptance although it has expired.
    ///
    /// So that what became of it can be told. One that has not expired is never removed for its age
    /// or size.
    /// Source: rules B.6.
    package var recordsKeptSeconds: UInt64 = 604_800
    /// Bytes of a hub's log above which its operator is told, unless they set another number.
    ///
    /// Source: rules B.6.
    package var logBytesWarned: UInt64 = 64 << 30
    /// The largest `logBytesWarned` that an operator may set.
    package var logBytesWarnedMax: UInt64 = 1 << 50

    // MARK: Telemetry

    /// Days for which the counters of a notification are kept after its acceptance, if its record is
    /// kept as long.
    package var telemetryDays: UInt64 = 30
    /// Counters, by notification and platform, that wait in memory for the next checkpoint; while
    /// the store refuses them, new ones beyond are dropped and counted.
    package var telemetryRowsMax = 65_536
    /// Receipts remembered so that a repeated one does not count again.
    package var receiptsRemembered = 131_072
    /// Newest notifications whose ids are found without reading the log.
    package var recentNotificationsMax = 32_768
    /// Searches of the log, at most, for receipts of older notifications in one report; receipts
    /// beyond are dropped and counted as such.
    package var receiptLookupsMax = 16
    /// Older notifications that were found so and are remembered.
    package var lookedUpNotificationsMax = 4_096
    /// Registrations that are looked at to estimate how many a notification matches.
    package var matchSampleMax = 20_000
    /// Registrations of the sample, at most, that are read because their tags have changed since the
    /// notification.
    package var matchReadsMax = 500

    // MARK: Tests

    /// A mistake that is made on purpose; none but in debug builds.
    package var planted = PlantedBugs()

    /// The defaults.
    package init() {}

    /// The defaults, for those who change none.
    package static let standard = CoreLimits()

    /// Has tag expressions be larger than by default; nil leaves a limit.
    ///
    /// Source: rules C.4.
    package mutating func allowExpressions(tagsOrOnly: Int?, tagsMixed: Int?, bytes: Int?) {
        if let tagsOrOnly { tags.expressionTagsOrOnlyMax = tagsOrOnly }
        if let tagsMixed { tags.expressionTagsMixedMax = tagsMixed }
        if let bytes { tags.expressionBytesMax = bytes }
    }
}
