import HubDirectory
import HubVocabulary

/// A hub with its writer and store, which carries out a call at once.
struct PromptHub<Store: WriterStore> {
    private var writer: WriterLoop
    var store: Store

    init(_ hub: Hub, store: Store, now: Now) {
        writer = WriterLoop(hub: hub, now: now)
        self.store = store
    }

    /// Turns the writer until nothing waits; its answers are to be given.
    mutating func answers(to call: HubCall, now: Now) -> [HubAnswer] {
        var output = KeptActions()
        var mail = [WriterMail.call(call)]
        var rest = WriterRest.waiting(milliseconds: 0)
        while rest == .waiting(milliseconds: 0) {
            rest = writer.turn(mail, store: &store, output: &output) { now }
            mail = []
        }
        return output.actions.compactMap { action in
            if case .answer(let answer) = action { answer } else { nil }
        }
    }
}
