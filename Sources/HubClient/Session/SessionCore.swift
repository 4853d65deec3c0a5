import HubVocabulary
import HubWire

/// The parts of a session that outlive its connection, and the results of the input under way.
struct SessionCore {
    /// Limits, windows and what the device can do.
    let configuration: LinkSession.Configuration
    /// Names this run of the program in HELLO.
    let instance: UInt64
    /// The state that must be remembered across starts; changes only together with `needsCommit`.
    var state: DeviceState
    /// Whether `state` or messages wait to be written.
    var needsCommit = false
    /// Bytes to send.
    var output: [UInt8] = []
    /// Messages to store together with `state`.
    var messages: [ReceivedNotification] = []
    /// Events and orders for the driver, in order.
    var actions: [SessionAction] = []
    /// The time of the input.
    var now = Now(instant: Instant(nanoseconds: 0), time: Timestamp(milliseconds: 0))
    /// The DELIVER frame that is being read, where frames are kept.
    var frame: [UInt8] = []
    var random: SeededRandom
    /// SEQ_GAPs in a row; after two the device asks for a fresh start.
    var sequenceGaps = 0
    /// How fast the device comes back, as the last WELCOME said.
    var returning = ReturnPace.untold
    /// Keep-alives that were answered.
    var pongs: UInt32 = 0

    init(configuration: LinkSession.Configuration, state: DeviceState, seed: UInt64) {
        self.configuration = configuration
        self.state = state
        random = SeededRandom(seed: seed)
        instance = random.next()
    }

    /// Whether the next opening would show other credentials than a token that has expired.
    var hasOtherCredentials: Bool { state.identity != nil || configuration.renewsTokens }

    /// Whether it is time to send a number that no version knows, so that hubs stay used to it.
    mutating func saysUnused() -> Bool {
        configuration.unusedOneIn > 0 && random.next() % configuration.unusedOneIn == 0
    }

    /// Tells the hub which rule its bytes broke; the session ends with it.
    mutating func refuse(_ error: WireError) -> Departure {
        ErrorFrame(error).encode(into: &output)
        if error.number == .seqGap { sequenceGaps += 1 }
        return .hubFault(error.number)
    }

    /// Returns the departure for a fatal ERROR, or for any that answers HELLO.
    mutating func departure(for error: ErrorFrame) -> Departure {
        actions.append(.hubReported(code: error.code, detail: error.detail))
        if error.code == ErrorNumber.deviceRevoked.rawValue {
            state.forgetIdentity()
            needsCommit = true
        }
        return .refused(
            code: error.code,
            aboutHello: error.aboutType == FrameType.hello.rawValue,
            hasOtherCredentials: hasOtherCredentials,
            retryAfter: .milliseconds(Int(error.retryAfter))
        )
    }

    /// Queues a receipt for the next RECEIPTS.
    mutating func queue(_ event: ReceiptEvent, of id: ID16, slot: UInt16, action: UInt8 = 0) {
        state.queue(
            Receipt(
                notification: id,
                event: event.rawValue,
                action: action,
                slot: slot,
                time: now.time.milliseconds
            )
        )
        needsCommit = true
    }
}

extension Departure {
    /// The hub goes away as GOAWAY says.
    init(_ goaway: GoawayFrame) {
        self = .goaway(
            reason: goaway.reason,
            mayReconnect: goaway.mayReconnect,
            least: .milliseconds(Int(goaway.minDelay)),
            spread: .milliseconds(Int(goaway.spread))
        )
    }
}
