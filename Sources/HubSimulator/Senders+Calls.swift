import HubModel
import HubVocabulary

// The answers of the hub, and its ends.
extension Senders: HubCallers {
    func takeAnswers() {
        for told in answers.takeAll() { told(self) }
    }

    func hubEnded(_ life: Int) {
        checkCutRequests(life)
        workload.hubEnded(life)
    }

    func mayReappear(_ group: CommitGroup) { workload.mayReappear(group) }

    /// Compares what was answered with what is in the log.
    func checkAnswers() {
        for index in workload.firstText..<workload.texts.count {
            let text = workload.texts[index]
            let count = ledger.history.recorded[index] ?? 0
            if workload.isOwed(index, world.now.time), count != 1 {
                world.violate("text \(index) was accepted and is in the log \(count) times")
            }
            if text.isCancelled, count > 0 {
                world.violate("text \(index) was cancelled and is in the log")
            }
            if text.accepted == nil, text.schedule == nil, !text.mayBeThere, count > 0 {
                world.violate("text \(index) was refused and is in the log")
            }
        }
    }
}
