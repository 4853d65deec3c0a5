import HubDirectory
@testable import HubHarness
import HubMemory
import HubModel
import HubQuestions
import HubRelay
import HubRules
import HubTags
import HubTemplates
import HubVocabulary
import Testing

/// One hub with its writer, its store in memory, a lane, and a service that a test plays.
final class RelayWorld: RelayHost {
    private(set) var disk: MemoryDisk
    private(set) var hub: Hub
    private(set) var storage: MemoryStore
    private var store: PromptStore
    private var writer: WriterLoop
    private(set) var loop: RelayLoop
    private var tokens = AppleTokens(seed: 5)
    var mail: [RelayMail] = []
    /// The records whose audiences were asked for, question by question.
    private(set) var questions: [[UInt64]] = []
    /// The hub's writer has no place for questions.
    var refusesQuestions = false
    /// How the lane's last turn ended.
    private(set) var rest = RelayRest.stopped
    /// The store's last words about a report.
    private var stored = HeardAll()
    private(set) var unanswered: [(ticket: LaneTicket, request: RelayRequest)] = []
    private let entry: CredentialSet.Entry
    private(set) var news: [RelayNews] = []
    /// Requests that the service has got, crashes included.
    private(set) var requests: [RelayRequest] = []
    /// The service's answers; 200 where it has none for a path.
    var answers: [String: RelayAnswer] = [:]
    /// What stands for an answer that never comes, for every path.
    var failure: RelayVerdict?
    var now = Now(instant: Instant(nanoseconds: 1_000_000_000), time: Samples.time)

    /// Requests for access tokens, by the time of each; and the endpoint's answer.
    private(set) var tokenTimes: [Now] = []
    var tokenAnswer = RelayAnswer(status: 503)
    let platform: Platform

    private let limits: LaneLimits

    init(
        _ kind: CredentialKind = .apns,
        since: UInt64 = 1,
        limits: LaneLimits = .standard
    ) throws {
        self.limits = limits
        let disk = MemoryDisk()
        self.disk = disk
        platform = kind.platform
        let storage = MemoryStore(disk: disk, newEpoch: 7)
        let values = kind == .apns ? Samples.apple : Samples.firebase
        let properties = try CredentialProperties(kind, values)
        let changed = try CredentialSet().changed(
            by: [kind: .set(properties)],
            hub: Samples.hub.secret,
            now: Samples.time,
            place: LogPlace(epoch: 7, sequence: since),
            open: Samples.open
        )
        entry = try #require(changed.credentials[kind])
        self.storage = storage
        store = PromptStore(storage: storage)
        hub = try Self.hub(storage, now)
        writer = WriterLoop(hub: hub, now: now)
        loop = Self.loop(entry, hub, storage, limits)
        hub.relays[platform] = RelayPlace(since: since)
    }

    private static func hub(_ storage: MemoryStore, _ now: Now) throws -> Hub {
        try Hub(
            hub: Samples.hub.name,
            secret: Samples.hub.secret,
            storage: storage,
            limits: .standard,
            protected: ProtectedTags(),
            seed: 3,
            now: now
        )
    }

    private static func loop(
        _ entry: CredentialSet.Entry,
        _ hub: Hub,
        _ storage: MemoryStore,
        _ limits: LaneLimits
    ) -> RelayLoop {
        RelayLoop(
            hub: Samples.hub.name,
            entry: entry,
            stored: hub.lane(entry.properties.kind.platform),
            bounds: storage.bounds,
            judge: HandleJudge(hub: Samples.hub, others: []),
            registrations: hub.gauges.registrations,
            purged: hub.settings.purgedThrough,
            seed: 9,
            limits: limits
        )
    }

    /// The process is killed and starts anew with what the disk has.
    func crash(beginningEpoch: Bool = false) throws {
        disk = disk.copy()
        if beginningEpoch { disk.beginEpoch(seed: 99) }
        let storage = MemoryStore(disk: disk, newEpoch: 7)
        self.storage = storage
        store = PromptStore(storage: storage)
        hub = try Self.hub(storage, now)
        writer = WriterLoop(hub: hub, now: now)
        loop = Self.loop(entry, hub, storage, limits)
        mail = []
        stored = HeardAll()
        unanswered = []
        hub.relays[platform] = RelayPlace(since: 1)
    }

    // MARK: Turns

    /// Lets time pass in steps in which hub, lane and service have their turns.
    func pass(seconds: UInt64, isStopping: Bool = false) {
        for _ in 0..<seconds * 4 { step(milliseconds: 250, isStopping: isStopping) }
    }

    func step(milliseconds: UInt64 = 0, isStopping: Bool = false) {
        now.instant = now.instant.adding(milliseconds: milliseconds)
        now.time = Timestamp(milliseconds: now.time.milliseconds + milliseconds)
        for _ in 0..<6 {
            turnHub()
            turnLane(isStopping: isStopping)
            answer()
        }
    }

    /// The same without an answer of the service.
    func stepUnanswered(turns: Int = 6) {
        for _ in 0..<turns {
            turnHub()
            turnLane(isStopping: false)
        }
    }

    private func turnHub(_ mail: [WriterMail] = []) {
        var output = KeptFeed()
        let present = now
        _ = writer.turn(mail, store: &store, output: &output, clock: { present })
        for head in output.heads { self.mail.append(.committed(through: head)) }
        for place in output.purges { self.mail.append(.purged(through: place)) }
    }

    private func turnLane(isStopping: Bool) {
        let letters = mail + stored.takeAll().map(RelayMail.stored)
        mail = []
        let present = now
        var host = self
        rest = loop.turn(
            letters,
            isStopping: isStopping,
            log: storage.reader,
            tokens: &tokens,
            host: &host,
            clock: { present }
        )
    }

    private func answer() {
        let waiting = unanswered
        unanswered = []
        for (ticket, request) in waiting {
            let answer = answers[request.path] ?? RelayAnswer(status: 200)
            let result = failure.map { Result.failure($0) } ?? .success(answer)
            mail.append(.answers([RelayReply(ticket: ticket, answer: result)]))
        }
    }

    // MARK: The hub

    func ask<Request: HubRequest>(_ request: Request) throws -> Request.Reply {
        try answered(request)
    }

    func refuseCheckpoints(_ error: StoreError?) {
        disk.setFaults(MemoryFaults(cursors: error))
    }

    func register(
        _ token: String,
        tags: [String] = [],
        template: String? = nil
    ) throws -> Registration {
        let content = RegistrationContent(
            platform: platform,
            handle: Array(token.utf8),
            tags: TagSet(tags.map { Array($0.utf8) }),
            template: template.map {
                TemplateDefinition(name: Array("t".utf8), body: Array($0.utf8))
            }
        )
        let grant = AccessGrant(rule: "full", rights: [.listen, .send, .manage])
        return try ask(CreateRegistration(content, grant))
    }

    @discardableResult
    func send(
        _ text: String,
        tags: String? = nil,
        seconds: UInt32 = 3_600,
        collapse: String = "",
        headers: [NamedValue] = [],
        handles: [[UInt8]] = []
    ) throws -> UInt64 {
        var target = NotificationTarget.broadcast
        if let tags { target = .tags(try TagExpression(parsing: Array(tags.utf8).span)) }
        if !handles.isEmpty { target = .handles(handles) }
        let draft = NotificationDraft(
            format: .native(platform),
            target: target,
            body: Array("{\"aps\":{\"alert\":\"\(text)\"}}".utf8),
            headers: headers,
            timeToLive: .seconds(seconds),
            collapseKey: Array(collapse.utf8)
        )
        return try ask(Send(draft)).sequence
    }

    /// Sends properties to templates: everyone's, or those of an expression.
    @discardableResult
    func sendProperties(_ json: String, tags: String? = nil) throws -> UInt64 {
        let expression = try tags.map { try TagExpression(parsing: Array($0.utf8).span) }
        let draft = NotificationDraft(
            format: .template,
            target: expression.map { .tags($0) } ?? .broadcast,
            body: Array(json.utf8),
            timeToLive: .seconds(3_600)
        )
        return try ask(Send(draft.asRead)).sequence
    }

    /// What became of a notification, what is not durable included.
    func details(_ sequence: UInt64) throws -> PlatformDetails {
        let record = try #require(
            try storage.reader.records(at: [sequence], bytesMax: .max).first
        )
        let name = NotificationName(id: record.id, sequence: sequence)
        let details = try ask(GetDetails(name))
        return try #require(details.platforms.first { $0.platform == platform })
    }

    var paths: [String] { requests.map(\.path) }

    // MARK: The lane's host

    func askAudiences(of headers: [RecordHeader], above: UInt32?) {
        questions.append(headers.map(\.sequence))
        let answer = Result { () throws(Refusal) in
            if refusesQuestions { throw .throttled(retryAfterSeconds: 1) }
            return try answered(ReadAudiences(platform, of: headers, above: above))
        }
        mail.append(.audiences(answer, of: headers.map(\.sequence)))
    }

    func askRows(of tickets: [LaneTicket]) {
        let numbers = tickets.map { RegistrationNumber($0.registration) }
        let answer = Result { () throws(Refusal) in try answered(ReadRelayRows(numbers)) }
        mail.append(.rows(answer, of: tickets))
    }

    private func answered<Request: HubRequest>(
        _ request: Request
    ) throws(Refusal) -> Request.Reply {
        let heard = Heard<Request.Reply>()
        turnHub([.call(request.call { heard.take($0) })])
        guard let found = heard.reply else { throw .stopping }
        return try found.get()
    }

    func send(_ request: RelayRequest, for ticket: LaneTicket) {
        requests.append(request)
        unanswered.append((ticket, request))
    }

    func send(
        _ request: RelayRequest,
        reply: @escaping @Sendable (Result<RelayAnswer, RelayVerdict>) -> Void
    ) {
        requests.append(request)
        reply(.success(answers[request.path] ?? RelayAnswer(status: 200)))
    }

    func fetchToken(_ request: RelayRequest) {
        tokenTimes.append(now)
        mail.append(.token(.success(tokenAnswer)))
    }

    func store(_ report: LaneReport) {
        let stored = stored
        turnHub([.lane(report) { stored.take($0) }])
    }

    func remove(_ number: RegistrationNumber, version: UInt64, _ cause: DepartureCause) {
        _ = try? answered(RemoveDeadHandle(number, version: version, cause))
        mail.append(.removed(number))
    }

    func tell(_ news: RelayNews) {
        self.news.append(news)
        switch news {
        case .rests(let cause): hub.relays[platform]?.cause = cause.sentence
        case .resumes: hub.relays[platform]?.cause = nil
        case .malformed: break
        }
    }

    func show(_ condition: RelayCondition) { hub.relays[platform]?.condition = condition }

    func draw() -> WebPushEncryption.Draw { WebPushEncryption.Draw(key: [], salt: []) }
}

extension RelayWorld {
    func put(_ registration: Registration, _ content: RegistrationContent) throws {
        let grant = AccessGrant(rule: "full", rights: [.listen, .send, .manage])
        _ = try ask(PutRegistration(id: registration.id, content, .none, grant))
    }

    func purge(through place: UInt64) throws { _ = try ask(Purge(.through(place))) }

    /// Why registrations ended, as the journal has it.
    func departures() throws -> [DepartureCause] {
        try storage.departures(from: 0, limit: 100).map(\.cause)
    }

    /// The reasons of the service that are kept for a notification.
    func failures(of sequence: UInt64) throws -> [String] {
        try storage.relayFailures(of: sequence, platform: platform).map(\.reason)
    }

    /// Whether nothing is counted of a notification yet.
    func estimateOnly(_ sequence: UInt64) throws -> Bool {
        try storage.counters(of: sequence).isEmpty
    }

    /// Why a registration has or has not got a notification.
    func explain(_ sequence: UInt64, _ registration: Registration) throws -> ExplainReason {
        let record = try #require(try storage.reader.records(at: [sequence], bytesMax: .max).first)
        let name = NotificationName(id: record.id, sequence: sequence)
        let found = try ask(Explain(name, .registration(id: registration.id))).reasons
        return try #require(found.first).reason
    }
}
