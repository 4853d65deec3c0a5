/// The most that a node takes upon itself for the one that leads.
package struct FrontLimits: Hashable, Sendable {
    /// The most that a node takes upon itself for devices.
    package struct Devices: Hashable, Sendable {
        /// Connections at once; the oldest that is at no leader gives way to one more.
        package var connections = 16_384
        /// Those of one address that are at no leader yet (IPv6: of one /64).
        package var openingPerAddress = 64
        /// Whether devices on this machine count towards that.
        package var limitsLoopback = false
        /// Bytes that a connection holds for each direction, beside the kernel's.
        package var bufferBytes = 16_384
        /// Milliseconds until a device says something.
        package var openingMilliseconds: UInt64 = 10_000
        /// Milliseconds for which a device waits for a node that leads; shorter than devices do.
        package var holdMilliseconds: UInt64 = 8_000

        /// The ordinary ones.
        package init() {}
    }

    /// Sends that go to the leader together.
    package struct Bundles: Hashable, Sendable {
        /// Bytes of a send up to which it shares a bundle, headers included; a larger one goes alone.
        package var sendBytes = 32_768
        /// Sends of one bundle.
        package var sends = 128
        /// Bytes of one bundle.
        package var bytes = 1_048_576
        /// Bundles of one hub that are under way at once, however small.
        package var carriers = 2
        /// Sends that are worth one more.
        package var worthOne = 8
        /// Bundles of one hub that are under way at once, whatever waits.
        package var carriersMax = 8
        /// Milliseconds for which a send waits for a bundle; it was not sent then.
        package var waitMilliseconds: UInt64 = 2_000
        /// Seconds in which a leader must have the whole of one.
        package var bodySeconds: Int64 = 30
        /// Bytes of the answers to one bundle.
        package var answerBytes = 4_194_304

        /// The ordinary ones.
        package init() {}

        /// The most that a request with a bundle can have: a format and a count stand in front.
        package var requestBytes: Int { bytes + 3 }
    }

    /// Requests at once: carried, or held until a node leads.
    package var requests = 1_024
    /// Bytes of their bodies together.
    package var requestBytes = 67_108_864
    /// Requests at once whose token opens nothing, as far as this node knows.
    package var strangers = 128
    /// Bytes of their bodies together.
    package var strangerBytes = 16_777_216
    /// Milliseconds for which a request waits for a node that leads.
    package var holdMilliseconds: UInt64 = 10_000
    /// Milliseconds until a leader that was not reached is tried again.
    package var pauseMilliseconds: UInt64 = 100
    /// Milliseconds until a request is repeated that the leader has refused for a while.
    package var refusedPauseMilliseconds: UInt64 = 500
    /// Milliseconds for a connection to the leader, with its handshake.
    package var connectMilliseconds: UInt64 = 2_000
    /// Milliseconds for an answer, or for its beginning where it is long.
    package var answerMilliseconds: UInt64 = 30_000
    /// The same for operations that wait for something else.
    package var patientMilliseconds: UInt64 = 110_000
    /// Connections to the leader's REST interface; more requests wait for one.
    package var leaderConnections = 256
    /// Bytes up to which an answer is taken whole before any of it is passed on: until then the
    /// request may be repeated.
    package var wholeAnswerBytes = 65_536
    /// The same for answers to sends, which are passed on whole.
    package var sendAnswerBytes = 4_194_304

    /// Those of sends that go together.
    package var bundles = Bundles()
    /// Those of devices' connections.
    package var devices = Devices()
    /// Milliseconds after which a leader hears of a front again.
    package var helloMilliseconds: UInt64 = 5_000
    /// Checked tokens that are remembered.
    package static let tokensKept = 4_096
    /// Devices that the kernel holds before they are accepted.
    package static let backlog: Int32 = 4_096

    /// The ordinary ones.
    package init() {}

    /// Those for leads that last so many milliseconds without their node: a request is held until the
    /// next leader has loaded the hubs.
    package init(leaseMilliseconds: UInt64) {
        holdMilliseconds = min(30_000, leaseMilliseconds * 2 + 4_000)
    }
}
