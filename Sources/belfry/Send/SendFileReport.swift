import CommandTerminal
import HubSender

/// The outcome of each line of a file, told as it is known.
struct SendFileReport {
    /// The outcome of one line, as `--json` prints it.
    private struct Told: Encodable {
        enum Outcome: String, Encodable {
            /// It is on stable storage.
            case accepted
            /// It is not there, unless `followsUnanswered` is.
            case refused
            /// It may have been accepted.
            case unanswered
            /// It is not there.
            case unsent
        }

        var line: Int
        var outcome: Outcome
        var status: Int?
        var id: String?
        var location: String?
        var code: Int?
        /// Why, where it was not accepted.
        var detail: String?
        var retryAfterSeconds: Int?
        /// Said when an earlier attempt got no answer, in which it may have been accepted.
        var followsUnanswered: Bool?
    }

    /// Refused lines at the beginning that are shown before the file counts as another kind.
    private static let strangeMax = 20

    private let json: Bool
    private let notes = SparseNotes()
    private var accepted = 0
    private var refused = 0
    private var unanswered = 0
    private var unsent = 0

    init(json: Bool) { self.json = json }

    private var text: String {
        var text = "accepted \(accepted), refused \(refused)"
        if unanswered > 0 { text += ", unanswered \(unanswered)" }
        if unsent > 0 { text += ", not sent \(unsent)" }
        return text
    }

    /// Whether no line was taken, and so many were refused that the file is hardly one of lines.
    var looksStrange: Bool { !json && accepted == 0 && refused >= Self.strangeMax }

    // MARK: Lines

    /// A line was in a request.
    mutating func tell(_ line: Int, _ outcome: Result<SentNotification, SenderError>) {
        switch outcome {
        case .success(let sent):
            accepted += 1
            guard json else { return }
            show(
                Told(
                    line: line,
                    outcome: .accepted,
                    status: sent.status,
                    id: sent.id,
                    location: sent.location
                )
            )
        case .failure(.refused(let refused)): tell(line, refused)
        case .failure(.unanswered(let reason)):
            unanswered += 1
            show(Told(line: line, outcome: .unanswered, detail: reason))
        case .failure(.answerMalformed):
            unanswered += 1
            let reason = "the answer cannot be understood"
            show(Told(line: line, outcome: .unanswered, detail: reason))
        case .failure(let error):
            unsent += 1
            show(Told(line: line, outcome: .unsent, detail: "\(error)"))
        }
    }

    private mutating func tell(_ line: Int, _ refusal: RefusedRequest) {
        refused += 1
        let again = refusal.followsUnanswered
        guard json else {
            guard accepted > 0 || refused <= Self.strangeMax else { return }
            notes.clear()
            let addition = again ? "; an earlier attempt got no answer" : ""
            return Terminal.note("line \(line): \(SenderError.refused(refusal))\(addition)")
        }
        show(
            Told(
                line: line,
                outcome: .refused,
                status: refusal.status,
                code: refusal.code,
                detail: refusal.detail,
                retryAfterSeconds: refusal.retryAfterSeconds,
                followsUnanswered: again ? true : nil
            )
        )
    }

    /// A line fits into no request; the others do.
    mutating func tellTooLong(_ line: Int) {
        refused += 1
        let reason =
            "has more than \(SendFile.lineBytesMax) bytes, its key counted, and was not sent"
        guard json else {
            notes.clear()
            return Terminal.note("line \(line): \(reason)")
        }
        show(Told(line: line, outcome: .refused, detail: "line: \(reason)"))
    }

    /// A line is behind one with which the hub takes nothing more.
    mutating func tellUnsent(_ line: Int) {
        unsent += 1
        let reason = "not sent, since the hub took nothing more before it"
        show(Told(line: line, outcome: .unsent, detail: reason))
    }

    private func show(_ told: Told) {
        if json { Terminal.line(json: told) }
    }

    // MARK: Sums

    /// So far.
    func showProgress(through line: Int) { notes.show("\(line) lines: \(text)") }

    /// The sum.
    func finish() {
        notes.clear()
        guard !json else { return }
        Terminal.line(text)
        guard accepted + refused + unanswered + unsent == 0 else { return }
        Terminal.note("there was no line to send")
    }

    /// - Throws: `Failure` when a line was refused.
    func check() throws {
        guard refused > 0 else { return }
        throw Failure("\(refused == 1 ? "1 line was" : "\(refused) lines were") refused")
    }
}
