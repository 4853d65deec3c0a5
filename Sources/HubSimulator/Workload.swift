import HubModel
import HubTags
import HubVocabulary

/// The requests of senders and of the backend, with their answers.
struct Workload {
    /// A request that waits for its answer.
    enum Call {
        case send(Int)
        /// Texts in the order of their lines; those from a number on were not sent before.
        case sendAll([Int], newFrom: Int)
        case schedule(Int)
        case cancel(Int)
        case register
        case change([UInt8])
        /// Writing or deleting the installation with this id.
        case installation([UInt8])
        /// Patching the installation with this id.
        case patch([UInt8])
        case settings
    }

    /// The result that a patch of an installation's tags must have, unless the store refuses it.
    enum PatchOutcome {
        /// Other requests for the installation were under way.
        case unknown
        case notFound
        case tags(Set<String>)
    }

    /// One notification as its sender knows it; its number is its text.
    struct Text {
        var draft: NotificationDraft
        /// When it is to be sent; nil for at once.
        var due: Timestamp?
        /// The answer; nil before there is a good one.
        var accepted: NotificationID?
        var schedule: ScheduleID?
        var isCancelled = false
        var isCancelling = false
        /// The hub must refuse it for what it says.
        var isUnfit = false
        /// Another request has it too, or its key: either may come first.
        var isElsewhere = false
        /// Its key was another text's first: if that one is in the log, it is refused.
        var hasOthersKey = false
        /// An answer is missing, or was a refusal that promises nothing: it may be in the log.
        var mayBeThere = false
    }

    /// Registrations of the backend at once.
    static let registrationsMax = 8

    /// Ids of all installations that there may be.
    static let installations = ["i-1", "i-2", "i-3"].map { Array($0.utf8) }

    private(set) var waiting: [UInt64: Call] = [:]
    /// The processes that were asked, by request.
    private var asked: [UInt64: Int] = [:]
    private var lastNumber: UInt64 = 0
    var texts: [Text] = []
    /// Those before were sent in a history that was replaced.
    var firstText = 0
    /// Registrations that the backend made and knows.
    var registrations: [[UInt8]] = []

    /// Returns the text that a template of the simulation, `…{'WORDS' + $(text)}…`, gives for a
    /// number.
    static func render(_ template: [UInt8], text: Int) -> [UInt8] {
        let whole = String(decoding: template, as: UTF8.self)
        let front = whole.split(separator: "{'", maxSplits: 1)
        guard front.count == 2 else { return template }
        let back = front[1].split(separator: "' + $(text)}", maxSplits: 1)
        guard back.count == 2 else { return template }
        return Array("\(front[0])\(back[0])\(text)\(back[1])".utf8)
    }

    /// Notes a request that waits from now on; its number.
    mutating func begin(_ call: Call, at life: Int) -> UInt64 {
        lastNumber += 1
        waiting[lastNumber] = call
        asked[lastNumber] = life
        return lastNumber
    }

    /// A request is answered; false when none with this number waits.
    mutating func end(_ number: UInt64) -> Bool {
        asked[number] = nil
        return waiting.removeValue(forKey: number) != nil
    }

    /// Requests with many sends that wait for a process, in their order.
    func waitingForMany(_ life: Int) -> [(texts: [Int], newFrom: Int)] {
        waiting.filter { asked[$0.key] == life }.sorted { $0.key < $1.key }.compactMap { _, call in
            guard case .sendAll(let texts, let newFrom) = call else { return nil }
            return (texts, newFrom)
        }
    }

    /// A text, or another one under its key, is in one more request.
    mutating func noteElsewhere(_ index: Int) {
        let scope = texts[index].draft.idempotency?.scope
        for other in texts.indices where texts[other].draft.idempotency?.scope == scope {
            texts[other].isElsewhere = true
        }
    }

    /// Whether another change of an installation is under way, or was in the same group.
    func isWaiting(forInstallation id: [UInt8]) -> Bool {
        waiting.values.contains { call in
            switch call {
            case .installation(let other), .patch(let other): other == id
            default: false
            }
        }
    }

    /// A process of the hub has ended, and answers no call any more.
    mutating func hubEnded(_ life: Int) {
        for (number, call) in waiting where asked[number] == life {
            doubt(call)
            _ = end(number)
        }
    }

    /// The hub may have stored a call's request, or may store it yet.
    mutating func doubt(_ call: Call) {
        switch call {
        case .send(let text), .schedule(let text): texts[text].mayBeThere = true
        case .sendAll(let all, _): for text in all { texts[text].mayBeThere = true }
        case .cancel(let text): texts[text].isCancelling = true
        case .register, .change, .installation, .patch, .settings: break
        }
    }

    /// The records of a group may be on the disk although they were refused.
    mutating func mayReappear(_ group: CommitGroup) {
        guard !group.records.isEmpty || !group.changes.isEmpty else { return }
        for index in firstText..<texts.count where texts[index].accepted == nil {
            texts[index].mayBeThere = true
            texts[index].isCancelling = texts[index].isCancelling || texts[index].schedule != nil
        }
    }

    /// The history was replaced by an older one.
    mutating func restored() {
        firstText = texts.count
        registrations = []
    }

    // MARK: The end

    /// Whether every caller has an answer, and what was due has fired.
    func isDone(_ ledger: Ledger, at now: Timestamp) -> Bool {
        waiting.isEmpty
            && texts[firstText...].indices.allSatisfy { index in
                !isOwed(index, now) || ledger.history.recorded[index] == 1
            }
    }

    /// Whether a text must be in the log.
    func isOwed(_ index: Int, _ now: Timestamp) -> Bool {
        let text = texts[index]
        guard let due = text.due else { return text.accepted != nil }
        return text.schedule != nil && !text.isCancelled && !text.isCancelling && due <= now
    }
}
