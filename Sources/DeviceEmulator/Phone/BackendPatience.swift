/// How long an app waits for its backend.
package struct BackendPatience: Equatable, Sendable {
    /// Seconds for an answer.
    package var answerSeconds: Int64
    /// Attempts of a request under one key; the backend answers a repeat as it did the first.
    package var attemptsMax: Int

    /// For scripts: longer than the backend waits for its hub, so that the app hears what became of
    /// a request.
    package static let standard = BackendPatience(answerSeconds: 90, attemptsMax: 3)
    /// For a person who looks at the screen, and repeats by hand.
    package static func person(answerSeconds: Int64) -> BackendPatience {
        BackendPatience(answerSeconds: answerSeconds, attemptsMax: 1)
    }
}
