import HubClient
import HubTags
import HubTransport
import HubVocabulary
import HubWire

/// The limits of the link by their names in `Protocol/README.md` §10.4, with the values that the
/// hub and our device hold to.
///
/// A limit that both ends enforce stands here twice.
enum LimitsInForce {
    static let all = frames + texts + registrations + delivery + timers + rates

    private static let core = CoreLimits()
    private static let session = SessionLimits()
    private static let transport = TransportLimits.standard
    private static let device = LinkSession.Configuration(hub: "news")

    private static let frames: [(name: String, value: Int)] = [
        ("frameHeaderBytes", WireLimits.frameHeaderBytes),
        ("frameBytesMaxFromDevice", WireLimits.hub.maxFrame),
        ("frameBytesMaxToDevice", WireLimits.device.maxFrame),
        ("frameBytesFloor", WireLimits.frameBytesFloor),
        ("frameBytesCeiling", WireLimits.frameBytesCeiling),
        ("flushBytesMax", WireLimits.flushBytesMax),
        ("optionsBytesMax", WireLimits.optionsBytesMax),
        ("helloBytesMin", WireLimits.helloBytesMin),
        ("helloBytesMax", WireLimits.helloBytesMax),
        ("paddingBytesMax", WireLimits.paddingBytesMax),
        ("earlyBytesMax", WireLimits.earlyBytesMax),
    ]

    private static let texts: [(name: String, value: Int)] = [
        ("hubNameBytesMax", WireLimits.hubNameBytesMax),
        ("authBytesMax", WireLimits.authBytesMax),
        ("traceBytesMax", WireLimits.traceBytesMax),
        ("detailBytesMax", WireLimits.detailBytesMax),
        ("alternateHostBytesMax", WireLimits.alternateHostBytesMax),
        ("resultHandleBytesMax", WireLimits.resultHandleBytesMax),
        ("handleBytes", WireLimits.handleBytes),
        ("deviceKeyBytes", WireLimits.deviceKeyBytes),
        ("deviceKeyBytes", DeviceKey.byteCount),
        ("proofBytes", proofBytes),
        ("exporterBytes", DeviceKey.exporterByteCount),
    ]

    private static let registrations: [(name: String, value: Int)] = [
        ("slotMax", WireLimits.slotMax),
        ("slotsPerDeviceMax", Int(welcome.limits.registrations)),
        ("tagsPerSlotMax", Int(welcome.limits.tags)),
        ("tagsPerSlotMax", core.tags.tagsPerRegistrationMax),
        ("tagBytesMax", Int(welcome.limits.tagBytes)),
        ("tagBytesMax", core.tags.tagBytesMax),
        ("templateNameBytesMax", WireLimits.templateNameBytesMax),
        ("templateExpiryBytesMax", WireLimits.templateExpiryBytesMax),
        ("templateHeadersMax", WireLimits.templateHeadersMax),
        ("templateBytesMax", WireLimits.templateBytesMax),
    ]

    private static let delivery: [(name: String, value: Int)] = [
        ("deliverEntriesMax", WireLimits.deliverEntriesMax),
        ("deliverEntryPrefixBytes", WireLimits.deliverEntryPrefixBytes),
        ("parcelBytesMin", WireLimits.parcelBytesMin),
        ("payloadBytesMax", Int(HelloMessage(hub: "").maxPayload)),
        ("payloadBytesFloor", WireLimits.payloadBytesFloor),
        ("payloadBytesMaxOnSend", core.sends.payloadBytesMax),
        ("windowBytesFloor", WireLimits.windowBytesFloor),
        ("windowBytesDefault", Int(device.windowBytes)),
        ("windowMessagesDefault", Int(device.windowMessages)),
        ("windowMessagesMax", Int(session.windowMessagesMax)),
        ("windowMessagesMax", WireLimits.windowMessagesMax),
        ("windowBytesMax", Int(session.windowBytesMax)),
        ("windowBytesMax", WireLimits.windowBytesMax),
        ("receiptsMax", Int(welcome.limits.receipts)),
        ("receiptsKeptMax", DeviceState.receiptsMax),
        ("deviceCapDefault", core.devices.deviceCap),
        ("tagSetsRememberedMax", core.registrations.formerTagSetsMax),
        ("tagSetBytesRememberedMax", core.registrations.formerTagBytesMax),
        ("timeToLiveSecondsDefault", Int(core.sends.timeToLiveDefaultSeconds)),
        ("timeToLiveSecondsMax", Int(core.sends.timeToLiveMaxSeconds)),
        ("deviceIdleDays", Int(core.devices.deviceIdleDays)),
        ("resetMemoryMax", WireLimits.resetMemoryMax),
    ]

    private static let timers: [(name: String, value: Int)] = [
        ("handshakeSecondsMax", seconds(transport.timers.handshakeMilliseconds)),
        ("helloSecondsMax", seconds(session.timers.helloMilliseconds)),
        ("attachSecondsMax", seconds(session.timers.attachMilliseconds)),
        ("quarrelSeconds", WireLimits.quarrelSeconds),
        ("welcomeSecondsMax", WireLimits.welcomeSecondsMax),
        ("frameSecondsMax", WireLimits.frameSecondsMax),
        ("frameSecondsMax", seconds(session.timers.frameMilliseconds)),
        ("outputSecondsMax", seconds(transport.timers.unreadMilliseconds)),
        ("ackSecondsMax", seconds(session.timers.acknowledgementMilliseconds)),
        ("ackDelayMillisecondsDefault", Int(session.timers.acknowledgementDelay) * 10),
        ("ackDelayMillisecondsDefault", Int(welcome.ackDelay) * 10),
        ("pongSecondsMax", WireLimits.pongSecondsMax),
        ("pongSecondsMaxCellular", WireLimits.pongSecondsMaxCellular),
        ("pingSecondsMin", WireLimits.pingSecondsMin),
        ("pingTooFastMax", WireLimits.pingTooFastMax),
        ("keepaliveSecondsStart", Int(session.timers.keepAliveSeconds)),
        ("keepaliveSecondsMax", Int(device.keepAliveMost)),
        ("graceSecondsDefault", Int(session.timers.graceSeconds)),
        ("drainReadSeconds", seconds(session.timers.drainMilliseconds)),
        ("healthySeconds", WireLimits.healthySeconds),
        ("reconnectSecondsMax", Int(longestDelay.components.seconds)),
        ("reconnectSecondsMax", session.returning.secondsMax),
        ("returnSpreadSecondsDefault", Int(ReturnPace.untold.spread) / 1_000),
        ("returnSecondsMin", WireLimits.returnSecondsMin),
        ("returnSecondsMax", WireLimits.returnSecondsMax),
        ("returnRateDefault", session.returning.perSecond),
    ]

    private static let rates: [(name: String, value: Int)] = [
        ("outstandingRequestsMax", WireLimits.outstandingRequestsMax),
        ("controlBytesMax", session.controlBytesMax),
        ("framesPerSecond", Int(session.rates.framesPerSecond)),
        ("framesBurst", Int(session.rates.framesBurst)),
        ("changesPerSecond", Int(core.devices.deviceChanges.perSecond)),
        ("changesBurst", Int(core.devices.deviceChanges.burst)),
        ("quarrelTakeoversMax", WireLimits.quarrelTakeoversMax),
        ("bytesPerSecond", Int(session.rates.bytesPerSecond)),
        ("bytesBurst", Int(session.rates.bytesBurst)),
        ("refusedFramesMax", session.rates.refusalsMax),
        ("identitiesPerSecond", Int(session.rates.identitiesPerSecond)),
        ("identitiesBurst", Int(session.rates.identitiesBurst)),
        ("unauthenticatedPerAddressMax", transport.unauthenticatedPerAddress),
    ]

    private static func seconds(_ milliseconds: UInt64) -> Int { Int(milliseconds / 1_000) }

    /// What WELCOME says where the hub sets nothing else.
    private static let welcome = WelcomeFrame(
        resume: .fresh,
        deviceID: .zero,
        position: .none,
        handle: []
    )

    private static let longestDelay = ReconnectPolicy(seed: 1).bound(afterFailures: 30)

    private static var proofBytes: Int {
        guard let secret = HubSecret([UInt8](repeating: 1, count: HubSecret.byteCount)),
            let hub = HubName("news")
        else { preconditionFailure("no secret or no name") }
        let key = DeviceKey(
            device: DeviceID(high: 1, low: 1),
            hub: hub,
            secret: secret,
            generation: 1
        )
        return key.proof(exporter: [], helloPrefix: [UInt8]().span).count
    }
}
