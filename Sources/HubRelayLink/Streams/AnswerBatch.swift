import NIOCore

/// Answers of one turn of an event loop, which go to their receiver together, some hundred at most:
/// it works on them while others are read.
final class AnswerBatch {
    private static let answersMax = 256

    private let loop: any EventLoop
    private let receive: ([CarriedAnswer]) -> Void
    private var answers: [CarriedAnswer] = []

    init(_ loop: any EventLoop, _ receive: @escaping ([CarriedAnswer]) -> Void) {
        self.loop = loop
        self.receive = receive
    }

    func add(_ answer: CarriedAnswer) {
        answers.append(answer)
        if answers.count == Self.answersMax { return handOver() }
        guard answers.count == 1 else { return }
        // Behind what the loop is doing now, so behind the other answers that it reads.
        loop.assumeIsolated().execute { [self] in handOver() }
    }

    private func handOver() {
        guard !answers.isEmpty else { return }
        let answers = answers
        self.answers = []
        receive(answers)
    }
}
