/// The outcomes of each line of one request while those that the hub could not take are repeated.
struct LineProgress {
    /// Places of the lines that the next attempt sends, ascending.
    private(set) var waiting: [Int]
    /// Of each line, as far as it is known.
    private(set) var outcomes: [Result<SentNotification, SenderError>]
    /// The hub's last refusal of each line that it could not take.
    private var refusals: [SenderError?]
    /// Which were in an attempt that got no answer: they may have been accepted then.
    private var areUnanswered: [Bool]

    init(count: Int) {
        waiting = Array(0..<count)
        let nothing = SenderError.unreached(reason: "not sent")
        outcomes = Array(repeating: .failure(nothing), count: count)
        refusals = Array(repeating: nil, count: count)
        areUnanswered = Array(repeating: false, count: count)
    }

    /// Notes an answer with an outcome for each line that waited; those that the hub could not take
    /// go on waiting.
    ///
    /// Gives the place of the refusal that says whether they may be repeated; nil when none waits.
    mutating func take(_ answers: [SendLineAnswer], trackingID: String) -> (Int, SenderError)? {
        var untaken: [Int] = []
        var worst: (Int, SenderError)?
        for (place, answer) in zip(waiting, answers) {
            switch answer.result(trackingID: trackingID) {
            case .success(let sent): outcomes[place] = .success(sent)
            case .failure(let error):
                note(error, at: place)
                guard error.isOfHub else { continue }
                untaken.append(place)
                // A line that cannot be repeated decides.
                if worst?.1.invitesRepeat != false { worst = (place, error) }
            }
        }
        waiting = untaken
        return worst
    }

    /// Notes that an attempt ended so for all that waited.
    mutating func fail(_ error: SenderError) {
        for place in waiting { note(error, at: place) }
    }

    private mutating func note(_ error: SenderError, at place: Int) {
        let known = areUnanswered[place] ? error.following : error.behind(refusals[place])
        outcomes[place] = .failure(known)
        switch error {
        case .unanswered: areUnanswered[place] = true
        case .refused: refusals[place] = error
        case .unreached, .answerMalformed, .authorityUnreadable, .platformUnsupported: break
        }
    }
}
