/// Every limit of the app backend by subject; beyond each of them a request is refused by name.
package struct BackendLimits: Equatable, Sendable {
    /// Users, their passwords and tokens.
    package var users = Users()
    /// Wrong credentials, before an address is refused.
    package var failures = Failures()
    /// Checks of passwords.
    package var checks = Checks()
    /// Registrations of users' devices.
    package var registrations = Registrations()
    /// Content between users.
    package var content = Content()
    /// Connections.
    package var connections = Connections()
    /// Requests, from their heads to their bodies.
    package var requests = Requests()
    /// Answers with content.
    package var answers = Answers()
    /// Questions to the hub.
    package var hub = Hub()

    /// The limits that a backend has unless it is told otherwise.
    package static let standard = BackendLimits()

    /// The standard limits.
    package init() {}

    /// Users, their passwords and tokens.
    package struct Users: Equatable, Sendable {
        /// Users of one backend.
        package var countMax = 100_000
        /// Bytes of a user's name; with `username:` it must fit into a tag.
        package var nameBytesMax = 64
        /// Bytes of a password at least.
        package var passwordBytesMin = 8
        /// Bytes of a password at most.
        package var passwordBytesMax = 1_024
        /// The cost of a password hash.
        package var passwordCost = PasswordCost.standard
        /// Access tokens of one user; the oldest end.
        package var accessTokensMax = 32
        /// Seconds for which an access token is valid.
        package var accessTokenSeconds: Int64 = 43_200
        /// Seconds for which the Listen token of a login is valid: long enough for a first
        /// connection.
        package var listenTokenSeconds: Int64 = 300
    }

    /// Wrong credentials, before an address is refused.
    package struct Failures: Equatable, Sendable {
        /// Wrong credentials that one address may give for one user within the window.
        package var perUserMax = 10
        /// Wrong credentials that one address may give for all users within the window; this
        /// machine's own addresses, which all its users share, have no such limit.
        package var perAddressMax = 100
        /// Seconds of that window.
        package var windowSeconds: Int64 = 300
        /// Names and addresses whose failures are remembered; beyond, the oldest are forgotten.
        package var entriesMax = 65_536
    }

    /// Checks of passwords, which are slow on purpose.
    package struct Checks: Equatable, Sendable {
        /// Checks at once.
        package var runningMax = 2
        /// Checks that may wait for their turn.
        package var waitingMax = 64
        /// Checks of one address that run or wait; this machine's own have no such limit.
        package var perAddressMax = 16
        /// Checked passwords that are remembered.
        package var rememberedMax = 4_096
        /// Seconds for which they are.
        package var rememberedSeconds: Int64 = 300
    }

    /// Registrations of users' devices.
    package struct Registrations: Equatable, Sendable {
        /// Registrations of one user, reserved ones included.
        package var perUserMax = 64
        /// Tags that a user may ask for in one registration.
        package var tagsMax = 60
        /// Bytes of a tag.
        package var tagBytesMax = 120
        /// Seconds for which a registration without an answer may still arrive at the hub, counted
        /// from where the backend gives up; the name of a removed user is not given again before.
        package var lateWriteSeconds: Int64 = 60
        /// Seconds between two looks for registrations that could not be deleted yet.
        package var deletionSeconds: Int64 = 5
    }

    /// Limits of the content that users send each other.
    package struct Content: Equatable, Sendable {
        /// Bytes of the text of a notification between users, or beside content.
        package var textBytesMax = 1_024
        /// Bytes of one piece of rich content.
        package var richBytesMax = 4_194_304
        /// Bytes of a secure payload.
        package var secureBytesMax = 65_536
        /// Pieces that are kept of one sender for one user; the sender's oldest go.
        package var perPairMax = 200
        /// Bytes that are kept of one sender for one user; the sender's oldest go.
        package var bytesPerPairMax: Int64 = 134_217_728
        /// Pieces of content that are kept for one user.
        ///
        /// The oldest go that are read, or that are of the sender of the new one. Unread content of
        /// other senders stays.
        package var perUserMax = 1_000
        /// Pieces that one sender may give in a day.
        package var perDayMax = 2_000
        /// Bytes that one sender may give in a day.
        package var bytesPerDayMax: Int64 = 1_073_741_824
        /// Bytes of all content.
        package var bytesMax: Int64 = 17_179_869_184
        /// Days for which content is kept.
        package var daysMax = 28
        /// Seconds between two removals of content that is older.
        package var purgeSeconds: Int64 = 600
        /// The largest id of content, since clients read them into 32 bits.
        package var idMax: Int64 = 2_147_483_647
    }

    /// Connections.
    package struct Connections: Equatable, Sendable {
        /// Connections at once.
        package var countMax = 4_096
        /// Seconds from a connection's beginning to the first byte of its first request.
        package var handshakeSeconds: Int64 = 10
        /// Seconds that a connection may be silent between two requests.
        package var silentSeconds: Int64 = 60
    }

    /// Requests, from their heads to their bodies.
    package struct Requests: Equatable, Sendable {
        /// Bytes of a request's head.
        package var headBytesMax = 65_536
        /// Seconds for the head in the whole time of a request, after which its connection ends.
        package var headSeconds: Int64 = 20
        /// Bytes of a JSON body that carries no content.
        package var bodyBytesMax = 65_536
        /// Seconds that a body may take.
        package var bodySeconds: Int64 = 120
        /// Bytes of an `Idempotency-Key`.
        package var idempotencyKeyBytesMax = 64
        /// Bytes of bodies that one user's requests hold until they are answered: two of the
        /// largest.
        package var heldBytesPerUserMax = 12_582_912
        /// Bytes of bodies that all requests hold until they are answered.
        package var heldBytesMax = 67_108_864
    }

    /// Answers with content.
    package struct Answers: Equatable, Sendable {
        /// Bytes of an answer that are written at once; with each piece the reader's time begins
        /// anew.
        package var pieceBytes = 65_536
        /// Seconds for which a reader may take nothing of an answer.
        package var seconds: Int64 = 60
        /// Bytes of the socket's send buffer; kept small, so that a slow reader still makes visible
        /// progress.
        package var sendBufferBytes = 262_144
        /// Bytes of content that one user's answers hold until they are written.
        package var heldBytesPerUserMax = 33_554_432
        /// Bytes of content that all answers hold until they are written.
        package var heldBytesMax = 268_435_456
    }

    /// Questions to the hub.
    package struct Hub: Equatable, Sendable {
        /// Seconds for which a request waits for a hub that is away, all its questions together.
        package var patienceSeconds: Int64 = 30

        /// When something that begins now gives the hub up.
        var deadline: ContinuousClock.Instant { .now + .seconds(max(patienceSeconds, 1)) }
    }
}
