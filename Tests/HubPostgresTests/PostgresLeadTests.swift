import HubCluster
import HubHarness
import HubModel
import HubPostgres
import HubTestSupport
import HubVocabulary
import Testing

@Suite("The lead of a database's hubs", .enabled(if: TemporaryPostgres.isInstalled))
struct PostgresLeadTests {
    /// Short enough for a test to wait for, long enough for a busy machine.
    private static let lease: UInt64 = 4_000

    private let database: PostgresDatabase
    private let name: String

    init() throws {
        let url = try TemporaryPostgres.shared.get().newDatabase()
        name = String(try #require(url.split(separator: "/").last))
        database = try PostgresDatabase(opening: PostgresAddress(url), limits: .patient)
    }

    private func node(_ run: UInt64, lease: UInt64 = lease) -> PostgresLead {
        var limits = LeaseLimits()
        limits.lease = lease
        let node = LeadingNode(
            run: run,
            name: "n\(run)",
            address: "n\(run):8443",
            devices: "n\(run):9443"
        )
        return PostgresLead(database, node, limits: limits)
    }

    private func query(_ sql: String) throws -> String {
        try TemporaryPostgres.shared.get().query(sql, in: name)
    }

    private func append(_ log: PostgresGroupLog, _ random: inout SeededGenerator) throws {
        let draft = try random.draft()
        let id = NotificationID(high: random.next(), low: random.next())
        let record = NotificationRecord(sequence: log.place.head + 1, id: id, draft: draft)
        let group = log.place.next([], [record])
        try log.append(group, GroupEffect([], head: log.place.head))
    }

    private func open(_ hub: String, term: UInt64) throws -> PostgresGroupLog {
        let log = try PostgresGroupLog(leading: hub, in: database, term: term)
        if log.place.epochs.isEmpty {
            try log.begin(GroupEpoch(place: LogPlace(epoch: 7, sequence: 1), checkBelow: 0))
        }
        return log
    }

    /// The lease ends, whatever the clocks of nodes say.
    private func lapse() throws { _ = try query("UPDATE belfry.lead SET until = '-infinity'") }

    @Test("is taken once, renewed by its holder alone, and read with what is left of its lease")
    func held() throws {
        let (first, second) = (node(1), node(2))
        var unled = try first.ask(.look)
        let clock = try #require(UInt64(query("SELECT (extract(epoch FROM now()) * 1000)::int8")))
        #expect(unled.clock <= clock && unled.clock + 60_000 > clock)
        unled.clock = 0
        #expect(unled == LeadRow())
        let row = try first.ask(.take(over: 0))
        #expect(row.term == 1 && row.holder == 1 && row.node == "n1" && row.address == "n1:8443")
        #expect(row.devices == "n1:9443")
        #expect(row.left > Self.lease - 2_000 && row.left <= Self.lease)
        // What another was quicker with, or had no right to, changes nothing.
        for request in [.take(over: 0), .take(over: 1), .renew(1), .release(1)] as [LeaseRequest] {
            let found = try second.ask(request)
            #expect(found.term == 1 && found.holder == 1 && found.left > 0, "\(request)")
        }
        first.node.address = "n1:9000"
        let renewed = try first.ask(.renew(1))
        #expect(renewed.term == 1 && renewed.address == "n1:9000")
        #expect(try first.ask(.renew(2)).term == 1)
        let nodes = try query("SELECT run, address FROM belfry.node ORDER BY run")
        #expect(nodes.contains("2|n2:8443"))
        try first.leave()
        #expect(try query("SELECT count(*) FROM belfry.node") == "1")
    }

    @Test("another takes it when the lease has ended by the database's clock, not before")
    func expires() throws {
        let (first, second) = (node(1, lease: 400), node(2))
        let taken = try first.ask(.take(over: 0))
        #expect(taken.term == 1 && taken.left <= 400)
        let row = try eventually(blocking: "the end of the lease") {
            let row = try second.ask(.take(over: 1))
            return row.holder == 2 ? row : nil
        }
        #expect(row.term == 2)
        #expect(try first.ask(.renew(1)).holder == 2)
    }

    @Test("one that is released is taken at once; its holder is gone")
    func released() throws {
        let (first, second) = (node(1), node(2))
        _ = try first.ask(.take(over: 0))
        #expect(try first.ask(.release(1)).left == 0)
        #expect(try second.ask(.take(over: 1)).holder == 2)
    }

    @Test("one that is promised to a run is taken by that run alone, once")
    func promised() throws {
        let (first, second, third) = (node(1), node(2), node(3))
        _ = try first.ask(.take(over: 0))
        _ = try second.ask(.look)
        try database.promiseLead(to: 2)
        #expect(try first.ask(.renew(1)).wanted == 2)
        #expect(try first.ask(.release(1)).left == 0)
        let row = try third.ask(.take(over: 1))
        #expect(row.term == 1 && row.left == 0 && row.wanted == 2)
        let taken = try second.ask(.take(over: 1))
        #expect(taken.holder == 2 && taken.term == 2 && taken.wanted == 0)
        #expect(try second.ask(.release(2)).left == 0)
        #expect(try third.ask(.take(over: 2)).holder == 3)
        // One that is not there, or was not heard of for some seconds, delays no other node.
        for run in [9, 2] as [UInt64] {
            try database.promiseLead(to: run)
            _ = try query("UPDATE belfry.node SET seen = seen - interval '5 s' WHERE run = 2")
            let row = try third.ask(.look)
            #expect(row.wanted == 0)
            #expect(try third.ask(.release(row.term)).left == 0)
            #expect(try third.ask(.take(over: row.term)).holder == 3)
        }
        // Nor does one that was taken back.
        _ = try second.ask(.look)
        try database.promiseLead(to: 2)
        #expect(try third.ask(.look).wanted == 2)
        try database.withdrawLead(from: 2)
        #expect(try third.ask(.look).wanted == 0)
    }

    @Test("from the take on the old leader commits nothing, also when it never heard of it")
    func fenced() throws {
        var random = SeededGenerator(seed: 1)
        let (first, second) = (node(1), node(2))
        _ = try first.ask(.take(over: 0))
        let old = try open("news", term: 1)
        let other = try open("other", term: 1)
        try append(old, &random)
        // A lease that has ended takes nothing away as long as no other leads.
        try lapse()
        try append(old, &random)
        #expect(try second.ask(.take(over: 1)).term == 2)
        for log in [old, other] {
            let error = #expect(throws: StoreError.self) { try append(log, &random) }
            #expect(error == .fenced)
        }
        let new = try open("news", term: 2)
        #expect(new.place.head == 2)
        try append(new, &random)
        #expect(new.place.head == 3)
    }

    @Test("a hub is opened and made under the term of the lead alone")
    func opened() throws {
        let (first, second) = (node(1), node(2))
        _ = try first.ask(.take(over: 0))
        let hub = try open("news", term: 1)
        try lapse()
        _ = try second.ask(.take(over: 1))
        let led = try open("news", term: 2)
        for name in ["news", "made"] {
            let error = #expect(throws: StoreError.self) { try open(name, term: 1) }
            #expect(error == .fenced)
        }
        #expect(try query("SELECT name FROM belfry.hub") == "news")
        var random = SeededGenerator(seed: 2)
        try append(led, &random)
        hub.close()
    }

    @Test("a take that is carried out twice does not fence its own hubs")
    func late() throws {
        var random = SeededGenerator(seed: 3)
        let first = node(1)
        _ = try first.ask(.take(over: 0))
        let log = try open("news", term: 1)
        #expect(try first.ask(.take(over: 0)).term == 1)
        try append(log, &random)
        #expect(log.place.head == 1)
    }

    @Test("of nodes that all take at once one leads, again and again")
    func together() throws {
        let nodes = 4
        for term in 0..<8 as Range<UInt64> {
            try lapse()
            let takes = (1...nodes).map { run in
                ThreadWork { [self] in
                    try node(UInt64(run)).ask(.take(over: term)).holder
                }
            }
            let holders = try takes.map { try $0.value() }
            #expect(Set(holders).count == 1, "term \(term): \(holders)")
            #expect(try query("SELECT term FROM belfry.lead") == "\(term + 1)")
        }
    }
}
