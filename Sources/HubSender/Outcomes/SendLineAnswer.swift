import FoundationEssentials

/// The hub's answer to one line.
struct SendLineAnswer: Decodable, Equatable, Sendable {
    /// The number of the line in the request, from 1.
    var line: Int
    /// 201, or the status with which a send of its own would have been refused.
    var status: Int
    /// The notification's id; nil for a line that was refused.
    var id: String?
    /// Where its outcome can be asked for.
    var location: String?
    /// The code of a refusal.
    var code: Int?
    /// The mistake; names the field.
    var detail: String?
    /// `unknown` where the hub cannot say whether it has the notification.
    var outcome: String?
    /// Seconds to wait, where the hub says so.
    var retryAfterSeconds: Int?

    /// Reads the lines of an answer.
    ///
    /// - Throws: `.answerMalformed` when they are not one for each line of the request, which had so
    ///   many and no blank ones.
    static func read(_ text: String, count: Int) throws(SenderError) -> [SendLineAnswer] {
        let decoder = JSONDecoder()
        var answers: [SendLineAnswer] = []
        answers.reserveCapacity(count)
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            // The error names the line, which a decoder does not know.
            guard let answer = try? decoder.decode(Self.self, from: Data(line)),
                answer.line == answers.count + 1, answer.status != 201 || answer.id != nil
            else { throw .answerMalformed(reason: "line \(answers.count + 1) is no outcome") }
            answers.append(answer)
        }
        guard answers.count == count else {
            throw .answerMalformed(reason: "\(answers.count) outcomes for \(count) lines")
        }
        return answers
    }

    /// Returns the result that a single send of this line would have had.
    func result(trackingID: String) -> Result<SentNotification, SenderError> {
        guard status == 201, let id else {
            var refused = RefusedRequest(
                status: status,
                code: code ?? status,
                detail: detail ?? "",
                retryAfterSeconds: retryAfterSeconds
            )
            refused.followsUnanswered = outcome != nil
            return .failure(.refused(refused))
        }
        return .success(
            SentNotification(
                id: id,
                location: location ?? "",
                status: status,
                trackingID: trackingID
            )
        )
    }
}
