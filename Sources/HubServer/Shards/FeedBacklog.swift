import HubCore

/// What a shard may leave unread of one hub's feed, and what is announced when that is too much.
///
/// Items are never dropped silently: once one was left out, all are until the shard has applied
/// those that wait, and then it hears once that it must read the log. Source: rules A.4.
struct FeedBacklog {
    /// How far the feed had come, with the check value of its last record.
    struct Head: Equatable {
        var sequence: UInt64
        var check: UInt32
    }

    /// What becomes of an item.
    enum Admission: Equatable {
        /// It goes to the shard.
        case post
        /// The shard is too far behind.
        case leaveOut
        /// Left out too, and the announcement goes in its place.
        case announce(Head)
    }

    /// Items and bytes that may wait; one item may go over the bytes.
    static let itemsMax = 4_096
    static let bytesMax = 64 << 20

    private var items = 0
    private var bytes = 0
    /// The head of the items that were left out; nil when none was.
    private(set) var lostHead: Head?

    /// Decides about the next item.
    mutating func admit(_ item: FeedItem) -> Admission {
        if lostHead != nil {
            guard items == 0 else {
                lostHead = item.last
                return .leaveOut
            }
            lostHead = nil
            return .announce(item.last)
        }
        guard items < Self.itemsMax, bytes < Self.bytesMax else {
            lostHead = item.last
            return .leaveOut
        }
        items += 1
        bytes += item.weight
        return .post
    }

    /// The mailbox had no room for what `admit` let through.
    mutating func failed(_ item: FeedItem, _ admission: Admission) {
        if admission == .post {
            items -= 1
            bytes -= item.weight
        }
        lostHead = item.last
    }

    /// The shard has applied items; the head to announce now, if any.
    mutating func applied(_ count: Int, weighing weight: Int) -> Head? {
        items -= count
        bytes -= weight
        guard items == 0, let head = lostHead else { return nil }
        lostHead = nil
        return head
    }
}

extension FeedItem {
    /// Where the feed stands with it.
    var last: FeedBacklog.Head { FeedBacklog.Head(sequence: head, check: headCheck) }

    /// About how many bytes it holds while it waits.
    var weight: Int {
        records.reduce(256 * (changes.count + 1)) { $0 + 256 + $1.draft.weight }
    }
}
