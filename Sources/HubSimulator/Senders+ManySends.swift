import HubDirectory
import HubModel
import HubVocabulary

// Requests with many sends: each line has an outcome of its own, and the log has them in order.
extension Senders {
    /// Sends several in one request: new ones with and without keys, some again, and some that must
    /// be refused between the others.
    func sendMany() {
        let newFrom = workload.texts.count
        var texts: [Int] = []
        for _ in 0..<(world.oneIn(24) ? 120 + world.below(40) : 2 + world.below(12)) {
            switch world.below(12) {
            case 0:
                guard let again = knownText() else { continue }
                texts.append(again)
                if again < newFrom { workload.noteElsewhere(again) }
                manySends.repeated += 1
            case 1: texts.append(drawUnfit(newFrom: newFrom))
            default: texts.append(draw(nil))
            }
        }
        guard !texts.isEmpty else { return }
        manySends.requests += 1
        manySends.lines += texts.count
        let drafts = texts.map { workload.texts[$0].draft }
        let all = texts
        ask(SendAll(drafts), as: .sendAll(all, newFrom: newFrom)) { senders, result in
            senders.sentAll(all, newFrom: newFrom, result)
        }
    }

    /// One of the newest texts that may be sent again, of this request too.
    private func knownText() -> Int? {
        guard workload.texts.count > workload.firstText else { return nil }
        let span = UInt64(min(workload.texts.count - workload.firstText, 24))
        let index = workload.texts.count - 1 - Int(world.below(span))
        let text = workload.texts[index]
        guard text.draft.idempotency != nil, text.due == nil, !text.isUnfit else { return nil }
        return index
    }

    /// A text with a body that is none, or with the key of another text: unless that one never became
    /// durable, the hub must refuse it.
    private func drawUnfit(newFrom: Int) -> Int {
        let index = draw(nil)
        if let other = knownText(), other != index, world.oneIn(2),
            let key = workload.texts[other].draft.idempotency
        {
            workload.texts[index].draft.idempotency = IdempotencyKey(
                scope: key.scope,
                fingerprint: KeyHash(of: workload.texts[index].draft.body)
            )
            workload.texts[index].hasOthersKey = true
            if other < newFrom { workload.noteElsewhere(other) }
            return index
        }
        workload.texts[index].draft.format = .template
        workload.texts[index].draft.target = .broadcast
        workload.texts[index].draft.properties = nil
        workload.texts[index].draft.body = Array("no JSON \(index)".utf8)
        ledger.texts[workload.texts[index].draft.body] = index
        workload.texts[index].isUnfit = true
        return index
    }

    // MARK: Answers

    /// Every line is answered as if it had come alone; behind one that the store refused nothing new
    /// is taken.
    private func sentAll(
        _ texts: [Int],
        newFrom: Int,
        _ result: Result<[Result<AcceptedSend, Refusal>], Refusal>
    ) {
        let outcomes: [Result<AcceptedSend, Refusal>]
        do throws(Refusal) { outcomes = try result.get() } catch {
            for index in texts { refused(index, error) }
            return
        }
        guard outcomes.count == texts.count else {
            world.violate("a request with \(texts.count) sends has \(outcomes.count) outcomes")
            return
        }
        var isEnded = false
        var place: (text: Int, sequence: UInt64) = (newFrom - 1, 0)
        for (index, outcome) in zip(texts, outcomes) {
            switch outcome {
            case .success(let send):
                accepted(index, send)
                guard index > place.text, !workload.texts[index].isElsewhere else { continue }
                if isEnded {
                    world.violate("text \(index) is taken behind one that the store refused")
                }
                if send.sequence <= place.sequence {
                    world.violate("text \(index) is \(send.sequence), behind \(place.sequence)")
                }
                place = (index, send.sequence)
            case .failure(let refusal):
                refused(index, refusal)
                if refusal.isOfStore { isEnded = true }
            }
        }
        let taken = outcomes.count { (try? $0.get()) != nil }  // Only the number counts.
        if 1..<outcomes.count ~= taken { manySends.answeredInPart += 1 }
        if isEnded, place.text >= newFrom { manySends.refusedBehindTaken += 1 }
        checkOrder(texts, newFrom: newFrom)
    }

    // MARK: Crashes

    /// Of requests that a crash cuts, what is durable is a front of their lines.
    func checkCutRequests(_ life: Int) {
        for (texts, newFrom) in workload.waitingForMany(life) {
            let fit = fitting(texts, newFrom: newFrom)
            let count = fit.count { ledger.history.recorded[$0] != nil }
            checkOrder(texts, newFrom: newFrom)
            guard !fit.isEmpty else { continue }
            switch count {
            case 0: manySends.cutBefore += 1
            case fit.count: manySends.cutAfter += 1
            default: manySends.cutWithin += 1
            }
        }
    }

    /// No new line is in the log without those before it.
    private func checkOrder(_ texts: [Int], newFrom: Int) {
        var missing: Int?
        for index in fitting(texts, newFrom: newFrom) {
            if ledger.history.recorded[index] == nil {
                missing = missing ?? index
            } else if let missing {
                world.violate("text \(index) is in the log, and \(missing) before it is not")
            }
        }
    }

    /// The new lines that nothing but the store can refuse, once each.
    private func fitting(_ texts: [Int], newFrom: Int) -> [Int] {
        var last = newFrom - 1
        return texts.filter { index in
            let text = workload.texts[index]
            guard index > last, index >= workload.firstText, !text.isUnfit, !text.hasOthersKey,
                !text.isElsewhere
            else { return false }
            last = index
            return true
        }
    }
}

extension Refusal {
    /// Whether the store said it.
    fileprivate var isOfStore: Bool {
        switch self {
        case .storeFull, .storeUnavailable, .storeUnanswered: true
        default: false
        }
    }
}
