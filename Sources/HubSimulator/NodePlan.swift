import HubVocabulary

/// The choices of a seed about nodes.
struct NodePlan {
    /// Between two looks of a standby; rarer than a server's, whose look costs it nothing.
    static let lookMilliseconds: UInt64 = 1_000

    /// How many nodes there are.
    var count: Int
    /// Records of a copy's slice.
    var sliceRecords: Int
    /// Numbers that an epoch leaves out, which begins above a copy.
    var numbersLeftOut: UInt64

    /// Whether senders use idempotency keys: records that have one are kept for days.
    var usesKeys: Bool

    init(_ random: inout SeededRandom) {
        count = 2 + Int(random.next() % 3)
        sliceRecords = [24, 64, 1_000][Int(random.next() % 3)]
        numbersLeftOut = 1 + random.next() % 9
        usesKeys = random.next() % 3 > 0
    }
}
