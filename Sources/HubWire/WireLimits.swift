/// The limit of one receiver, and below it the limits that both ends of the link read.
package struct WireLimits: Equatable, Sendable {
    /// Largest body length that the receiver takes, in bytes.
    package var maxFrame: Int

    /// Limits of one receiver, in bytes.
    package init(maxFrame: Int) { self.maxFrame = maxFrame }

    /// The limit that the hub sets for frames of devices.
    package static let hub = WireLimits(maxFrame: frameBytesMaxFromDevice)
    /// The limit that our own device sets for frames of the hub.
    package static let device = WireLimits(maxFrame: frameBytesMaxToDevice)
}

// Each `static let` below stands in the table of Protocol/README.md §10.4 with the same name and
// value. A row that is missing here is enforced by the number of a layer that cannot see this
// module; `SpecificationTests` compares each row with the value in force.

/// Frames and flushes, in bytes unless the name says otherwise.
extension WireLimits {
    /// Bytes of the header in front of every body.
    package static let frameHeaderBytes = 8
    /// Largest body from a device.
    package static let frameBytesMaxFromDevice = 16_384
    /// Largest body that our device announces in HELLO.
    package static let frameBytesMaxToDevice = 65_536
    /// Smallest `max_frame` that HELLO and WELCOME may announce.
    package static let frameBytesFloor = 16_384
    /// Largest body that a hub sends, whatever a device announces.
    package static let frameBytesCeiling = 1_048_576
    /// A DELIVER with several entries, its header included: it fits one TLS record.
    package static let flushBytesMax = 16_384
    /// Bytes of an options block.
    package static let optionsBytesMax = 1_024
    /// Smallest HELLO body.
    package static let helloBytesMin = 91
    /// Largest HELLO body, and so the most an unauthenticated peer can make the hub hold.
    package static let helloBytesMax = 4_096
    /// Bytes that a hub keeps of a device before WELCOME.
    package static let earlyBytesMax = 16_384
    /// Body of PADDING.
    package static let paddingBytesMax = 1_024
}

/// Text and credentials, in bytes.
extension WireLimits {
    /// Hub name in HELLO.
    package static let hubNameBytesMax = 64
    /// Credentials in HELLO.
    package static let authBytesMax = 2_048
    /// Trace id in WELCOME.
    package static let traceBytesMax = 64
    /// Detail text of ERROR, RESULT and GOAWAY.
    package static let detailBytesMax = 200
    /// Alternate host in GOAWAY, reserved and empty in minor version 0.
    package static let alternateHostBytesMax = 253
    /// Handle in RESULT.
    package static let resultHandleBytesMax = 64
    /// Push handle in WELCOME.
    package static let handleBytes = 32
    /// Device key in WELCOME, where present.
    package static let deviceKeyBytes = 32
}

/// Registrations and tags.
extension WireLimits {
    /// Highest slot number that a device chooses.
    package static let slotMax = 15
    /// Registrations of one device over the link.
    package static let slotsPerDeviceMax = 16
    /// Tags of one slot.
    package static let tagsPerSlotMax = 60
    /// Bytes of one tag.
    package static let tagBytesMax = 120
    /// Bytes of a template's name.
    package static let templateNameBytesMax = 200
    /// Bytes of a template's expiry expression.
    package static let templateExpiryBytesMax = 255
    /// Headers of a template.
    package static let templateHeadersMax = 16
    /// Bytes of a template's body.
    package static let templateBytesMax = 8_192
}

/// Delivery.
extension WireLimits {
    /// Entries of one DELIVER.
    package static let deliverEntriesMax = 64
    /// Bytes of an entry in front of its parcel; they count against the window too.
    package static let deliverEntryPrefixBytes = 10
    /// Smallest parcel.
    package static let parcelBytesMin = 32
    /// Largest payload after inflating that our device announces.
    package static let payloadBytesMax = 65_536
    /// Smallest `max_payload` that HELLO may announce.
    package static let payloadBytesFloor = 8_192
    /// Smallest byte window, in HELLO and in a WINDOW that does not pause.
    package static let windowBytesFloor = 16_384
    /// Byte window that our device opens with.
    package static let windowBytesDefault = 65_536
    /// Message window that our device opens with: a burst fits, and bytes are limited beside it.
    package static let windowMessagesDefault = 256
    /// Bytes that a hub has in flight, whatever a device offers.
    package static let windowBytesMax = 65_536
    /// Entries that a hub has in flight, whatever a device offers.
    package static let windowMessagesMax = 1_024
    /// Records of one RECEIPTS.
    package static let receiptsMax = 64
    /// Notification ids that a device remembers after RESET.
    package static let resetMemoryMax = 1_024
}

/// Timers and rates.
extension WireLimits {
    /// Seconds from the end of the handshake to a complete HELLO.
    package static let helloSecondsMax = 10
    /// Seconds in which takeovers between two instances of a device are counted.
    package static let quarrelSeconds = 60
    /// The takeover between two instances that is refused.
    package static let quarrelTakeoversMax = 3
    /// Seconds a device waits for WELCOME.
    package static let welcomeSecondsMax = 15
    /// Seconds from the first byte of a frame to its last.
    package static let frameSecondsMax = 20
    /// Seconds from DELIVER to the ACK of its oldest entry.
    package static let ackSecondsMax = 45
    /// The delay of an ACK that WELCOME names, in milliseconds.
    package static let ackDelayMillisecondsDefault = 2_000
    /// Seconds a device waits for PONG.
    package static let pongSecondsMax = 15
    /// Seconds a device on a cellular network waits for PONG.
    package static let pongSecondsMaxCellular = 30
    /// Seconds between PINGs below which the hub counts.
    package static let pingSecondsMin = 15
    /// PINGs too close together after which the hub closes.
    package static let pingTooFastMax = 5
    /// First keep-alive interval in seconds.
    package static let keepaliveSecondsStart = 240
    /// Longest keep-alive interval in seconds.
    package static let keepaliveSecondsMax = 900
    /// Slack in seconds on top of a promised interval.
    package static let graceSecondsDefault = 60
    /// Seconds the hub reads on after GOAWAY.
    package static let drainReadSeconds = 5
    /// Requests of one side without an answer.
    package static let outstandingRequestsMax = 64
    /// Frames of a device in a second, sustained.
    package static let framesPerSecond = 20
    /// Frames of a device at once.
    package static let framesBurst = 100
    /// REGISTER, UNREGISTER and TAGS of a device in a second, sustained.
    package static let changesPerSecond = 1
    /// REGISTER, UNREGISTER and TAGS of a device at once.
    package static let changesBurst = 16
    /// Bytes of a device in a second, sustained.
    package static let bytesPerSecond = 65_536
    /// Bytes of a device at once.
    package static let bytesBurst = 262_144
    /// Frames over the rate after which the hub closes.
    package static let refusedFramesMax = 64
    /// New identities of one address in a second, sustained; loopback exempt.
    package static let identitiesPerSecond = 1
    /// New identities of one address at once; loopback exempt.
    package static let identitiesBurst = 64
    /// Seconds of a healthy session after which a device forgets its backoff.
    package static let healthySeconds = 60
    /// Longest reconnect delay in seconds, where no WELCOME and no operator said another.
    package static let reconnectSecondsMax = 900
    /// Seconds over which devices come back that no WELCOME told another number.
    package static let returnSpreadSecondsDefault = 5
    /// The smallest longest delay that WELCOME may tell, in seconds.
    package static let returnSecondsMin = 1
    /// The largest longest delay that WELCOME may tell, in seconds.
    package static let returnSecondsMax = 3_600
    /// Devices that a hub asks back in a second, unless its operator says otherwise.
    package static let returnRateDefault = 1_000
}
