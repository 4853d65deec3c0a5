import HubModel
import HubRelay
import HubTransport
import HubVocabulary

/// A lane with its connections to the rest of the hub; lives on the thread of lanes.
struct RelayLane: Sendable {
    /// Seconds within which a request has its answer.
    static let answerSeconds = 20
    let name: LaneName
    var loop: RelayLoop
    let log: any LogReading
    let writer: HubWriter
    let link: RelayLink
    /// Which of the lanes with its name, as the thread counts them.
    private(set) var life: UInt64 = 0
    /// The way of its requests, once it has begun.
    private var channel: RelayLink.Channel?
    var mail: [RelayMail] = []
    /// The next turn without mail.
    var due = Instant(nanoseconds: 0)
    /// When it stops whatever is missing, and who hears of it; nil while it goes on.
    private(set) var stop: (deadline: Instant, told: [@Sendable () -> Void])?

    init(
        _ name: LaneName,
        loop: RelayLoop,
        log: any LogReading,
        writer: HubWriter,
        link: RelayLink
    ) {
        self.name = name
        self.loop = loop
        self.log = log
        self.writer = writer
        self.link = link
    }

    /// The lane begins: its answers go to the thread.
    mutating func begin(life: UInt64, _ thread: RelayThread) {
        self.life = life
        let address = LaneAddress(name: name, life: life)
        channel = link.open(.seconds(Self.answerSeconds)) { [thread] replies in
            thread.trace(replies, of: address.name)
            thread.post(.answers(replies), to: address)
        }
    }

    /// The lane is to stop.
    mutating func close(_ told: @escaping @Sendable () -> Void, now: Instant) {
        let deadline = now.adding(milliseconds: loop.endMilliseconds)
        stop = (stop?.deadline ?? deadline, (stop?.told ?? []) + [told])
        due = now
    }

    /// Runs a turn; returns whether the lane has stopped.
    mutating func turn(_ tokens: inout AppleTokens, _ thread: RelayThread) -> Bool {
        let letters = mail
        mail = []
        var host = RelayLaneHost(
            address: LaneAddress(name: name, life: life),
            writer: writer,
            link: link,
            thread: thread,
            channel: channel
        )
        let rest = loop.turn(
            letters,
            isStopping: stop != nil,
            log: log,
            tokens: &tokens,
            host: &host,
            clock: { Clock.now }
        )
        host.sendRest()
        let now = Clock.now.instant
        switch rest {
        case .stopped: return true
        case .waiting(let milliseconds):
            due = now.adding(milliseconds: milliseconds)
            guard let stop else { return false }
            due = min(due, now.adding(milliseconds: 100))
            return now >= stop.deadline
        }
    }
}
