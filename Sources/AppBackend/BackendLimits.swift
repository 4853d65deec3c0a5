/// Every limit of the app backend; beyond each of them a request is refused by name.
package struct BackendLimits: Equatable, Sendable {
    // MARK: Users

    /// Bytes of a user's name; with `username:` it must fit into a tag.
    package var userNameBytesMax = 64
    /// Bytes of a password at least.
    package var passwordBytesMin = 8
    /// Bytes of a password at most.
    package var passwordBytesMax = 1_024
    /// Users of one backend.
    package var usersMax = 100_000
    /// Access tokens of one user; the oldest end.
    package var sessionsPerUserMax = 32
    /// Seconds for which an access token is valid.
    package var accessTokenSeconds: Int64 = 43_200
    /// Seconds for which the Listen token of a login is valid: long enough for a first connection.
    package var listenTokenSeconds: Int64 = 300

    // MARK: Guessing

    /// Wrong credentials that one address may give for one user within the window.
    package var failuresPerUserMax = 10
    /// Wrong credentials that one address may give for all users within the window; this machine's
    /// own addresses, which all its users share, have no such limit.
    package var failuresPerAddressMax = 100
    /// Seconds of that window.
    package var failureWindowSeconds: Int64 = 300
    /// Names and addresses whose failures are remembered; beyond, the oldest are forgotten.
    package var failureEntriesMax = 65_536
    /// Password checks at once.
    package var passwordChecksMax = 2
    /// Password checks that may wait for their turn.
    package var passwordChecksWaitingMax = 64
    /// Password checks of one address that run or wait; this machine's own have no such limit.
    package var passwordChecksPerAddressMax = 16
    /// Checked passwords that are remembered.
    package var knownCredentialsMax = 4_096
    /// Seconds for which they are.
    package var knownCredentialSeconds: Int64 = 300
    /// What a password hash costs.
    package var passwordCost = PasswordCost.standard

    // MARK: Registrations

    /// Registrations of one user, reserved ones included.
    package var registrationsPerUserMax = 64
    /// Tags that a user may ask for in one registration.
    package var tagsMax = 60
    /// Bytes of a tag.
    package var tagBytesMax = 120

    /// Seconds for which a registration that nobody confirmed may still arrive at the hub, counted
    /// from where the backend gives up; the name of a removed user is not given again before.
    package var lateWriteSeconds: Int64 = 60

    // MARK: Content

    /// Bytes of the text of a notification between users, or beside content.
    package var textBytesMax = 1_024
    /// Bytes of one piece of rich content.
    package var richBytesMax = 4_194_304
    /// Bytes of a secure payload.
    package var secureBytesMax = 65_536
    /// Pieces that are kept of one sender for one user; the sender's oldest go.
    package var contentPerPairMax = 200
    /// Bytes that are kept of one sender for one user; the sender's oldest go.
    package var contentBytesPerPairMax: Int64 = 134_217_728
    /// Pieces of content that are kept for one user; the oldest go that are read, or that are of
    /// the sender of the new one, and nobody else's.
    package var contentPerUserMax = 1_000
    /// Pieces that one sender may give in a day.
    package var contentPerDayMax = 2_000
    /// Bytes that one sender may give in a day.
    package var contentBytesPerDayMax: Int64 = 1_073_741_824
    /// Bytes of all content.
    package var contentBytesMax: Int64 = 17_179_869_184
    /// Days for which content is kept.
    package var contentDaysMax = 28
    /// Seconds between two removals of content that is older.
    package var contentPurgeSeconds: Int64 = 600
    /// The largest id of content, since clients read them into 32 bits.
    package var contentIDMax: Int64 = 2_147_483_647

    // MARK: Connections and time

    /// Connections at once.
    package var connectionsMax = 4_096
    /// Seconds from a connection's beginning to the first byte of its first request.
    package var handshakeSeconds: Int64 = 10
    /// Seconds that a connection may be silent between two requests.
    package var silentSeconds: Int64 = 60
    /// Seconds for the head in the whole time of a request, behind which its connection ends.
    package var headSeconds: Int64 = 20
    /// Bytes of a request's head.
    package var headBytesMax = 65_536
    /// Bytes of a JSON body that carries no content.
    package var bodyBytesMax = 65_536
    /// Bytes of bodies that one user's requests hold until they are answered: two of the largest.
    package var bodyBytesInFlightPerUserMax = 12_582_912
    /// Bytes of bodies that all requests hold until they are answered.
    package var bodyBytesInFlightMax = 67_108_864
    /// Bytes of content that one user's answers hold until they are written.
    package var answerBytesInFlightPerUserMax = 33_554_432
    /// Bytes of content that all answers hold until they are written.
    package var answerBytesInFlightMax = 268_435_456
    /// Bytes of an answer that are written at once; behind them the reader has its time again.
    package var answerPieceBytes = 65_536
    /// Bytes that the system keeps of what is written and not read: with more of them a slow reader
    /// would look like one that does not read.
    package var sendBufferBytes = 262_144
    /// Seconds that a body may take.
    package var bodySeconds: Int64 = 120
    /// Seconds for which a reader may take nothing of an answer.
    package var answerSeconds: Int64 = 60
    /// Seconds between two looks for users whose registrations could not be removed yet.
    package var departureSeconds: Int64 = 5
    /// Seconds for which a request waits for a hub that is away, all its questions together.
    package var hubPatienceSeconds: Int64 = 30
    /// Bytes of an `Idempotency-Key`.
    package var idempotencyKeyBytesMax = 64

    /// When something that begins now gives the hub up.
    var hubDeadline: ContinuousClock.Instant { .now + .seconds(max(hubPatienceSeconds, 1)) }

    /// The limits that a backend has unless it is told otherwise.
    package static let standard = BackendLimits()

    /// The standard limits.
    package init() {}
}
