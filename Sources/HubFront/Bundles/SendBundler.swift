import AsyncHTTPClient
import HubCluster
import HubHTTP
import HubTransport
import HubVocabulary
import NIOCore
import NIOHTTP1
import Synchronization

/// Carries sends that come at the same time to the leader in one request.
///
/// Whatever becomes of the request became of each of its sends, as if it had gone alone.
/// Source: Decisions/BundledSends.
final class SendBundler: Sendable {
    /// Sends that may share a bundle: one that waits for its store delays those of no other hub.
    private struct Line: Hashable {
        let leader: LeaderWatch.Leader
        let hub: String
    }

    private struct Queue {
        var sends: BundleQueue<WaitingSend>
        /// Whether a look at those that wait for long is due.
        var isWatched = false
    }

    /// The tasks that an addition asks for.
    private struct Due {
        var carrier: Bool
        var look: Bool
    }

    private let link: LeaderLink
    private let proof: FrontProof
    private let limits: FrontLimits
    private let queues = Mutex<[Line: Queue]>([:])

    init(_ link: LeaderLink, _ proof: FrontProof, _ limits: FrontLimits) {
        self.link = link
        self.proof = proof
        self.limits = limits
    }

    /// Carries a send of a hub to a leader and waits for its fate.
    func carry(
        _ send: CarriedSend,
        of hub: String,
        to leader: LeaderWatch.Leader,
        on loop: any EventLoop
    ) async -> WaitingSend.Fate {
        let line = Line(leader: leader, hub: hub)
        let waiting = WaitingSend(send)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting.wait(continuation)
                add(waiting, to: line, on: loop)
            }
        } onCancel: {
            waiting.tell(.cancelled)
        }
    }

    /// Sends that no carrier has taken.
    var waiting: Int { queues.withLock { $0.values.reduce(0) { $0 + $1.sends.waitingCount } } }

    private func add(_ waiting: WaitingSend, to line: Line, on loop: any EventLoop) {
        let now = Clock.now.instant
        let due = queues.withLock { queues in
            let known = queues.removeValue(forKey: line)
            var queue = known ?? Queue(sends: BundleQueue(limits.bundles))
            defer { queues[line] = queue }
            let bytes = waiting.send.byteCount
            var due = Due(carrier: queue.sends.add(waiting, bytes: bytes, now: now), look: false)
            // A carrier that begins takes it in the loop's next turn.
            guard !due.carrier, !queue.isWatched else { return due }
            queue.isWatched = true
            due.look = true
            return due
        }
        if due.carrier { begin(line, on: loop) }
        if due.look { watch(line, on: loop) }
    }

    /// Begins a carrier behind the requests that the loop has read: it takes all of them.
    private func begin(_ line: Line, on loop: any EventLoop) {
        Task(executorPreference: LoopExecutor.of(loop)) { [self] in
            while true {
                let (taken, leaves) = take(line)
                if leaves { begin(line, on: loop) }
                guard !taken.isEmpty else { return }
                // The clients of others are gone.
                let bundle = taken.filter(\.isAwaited)
                guard !bundle.isEmpty else { continue }
                let fates = await self.fates(of: bundle, to: line.leader)
                for (waiting, fate) in zip(bundle, fates) { waiting.tell(fate) }
            }
        }
    }

    /// The next bundle, and whether it leaves sends that are worth a carrier of their own.
    private func take(_ line: Line) -> (bundle: [WaitingSend], leaves: Bool) {
        queues.withLock { queues in
            // A carrier without a queue has no sends to take, and ends.
            guard var queue = queues.removeValue(forKey: line) else { return ([], false) }
            let bundle = queue.sends.take()
            let leaves = !bundle.isEmpty && queue.sends.begin()
            if !queue.sends.isIdle || queue.isWatched { queues[line] = queue }
            return (bundle, leaves)
        }
    }

    /// Ends the wait of sends that no carrier takes in time.
    private func watch(_ line: Line, on loop: any EventLoop) {
        loop.scheduleTask(in: .milliseconds(Int64(limits.bundles.waitMilliseconds))) { [self] in
            let now = Clock.now.instant
            let (late, isWaiting) = queues.withLock { queues -> ([WaitingSend], Bool) in
                guard var queue = queues.removeValue(forKey: line) else { return ([], false) }
                let late = queue.sends.expire(now: now)
                queue.isWatched = queue.sends.waitingCount > 0
                if !queue.sends.isIdle { queues[line] = queue }
                return (late, queue.isWatched)
            }
            for waiting in late { waiting.tell(.failed(.crowded)) }
            if isWaiting { watch(line, on: loop) }
        }
    }

    /// The fate of each send of a bundle.
    private func fates(
        of bundle: [WaitingSend],
        to leader: LeaderWatch.Leader
    ) async -> [WaitingSend.Fate] {
        func all(_ outcome: CarryPlan.Outcome) -> [WaitingSend.Fate] {
            bundle.map { _ in .failed(outcome) }
        }
        guard let url = leader.url(of: FrontBundle.path) else { return all(.unreached) }
        if bundle.count > 1 { FrontEvents.count(.bundled, by: bundle.count) }
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        let word = proof.value(client: nil, leader: leader.run)
        request.headers.add(name: FrontProof.header, value: word)
        request.body = .bytes(ByteBuffer(bytes: BundleCodec.encode(bundle.map(\.send))))
        let limit = limits.answerMilliseconds
        let outcome: LeaderLink.Outcome
        do {
            outcome = try await link.send(request, to: leader, withinMilliseconds: limit)
        } catch {
            // No one cancels a carrier; if one did, its sends may be carried out.
            return all(.lost)
        }
        switch outcome {
        case .unreached, .invalid: return all(.unreached)
        case .crowded: return all(.crowded)
        case .lost: return all(.lost)
        case .answered(let answer):
            guard !answer.headers.contains(name: FrontProof.header) else {
                return all(.misdirected)
            }
            guard let answers = await self.answers(of: answer), answers.count == bundle.count
            else { return all(.lost) }
            return answers.map { .answered($0) }
        }
    }

    /// The answers of a bundle; nil where any of its sends may be carried out.
    private func answers(of answer: HTTPClientResponse) async -> [BundledAnswer]? {
        guard answer.status == .ok else { return nil }
        // An answer that breaks off tells nothing.
        let body = try? await answer.body.collect(upTo: limits.bundles.answerBytes)
        return body.flatMap(FrontBundle.answers)
    }
}
