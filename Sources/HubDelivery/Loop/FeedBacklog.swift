package import HubModel
import HubVocabulary

/// The part of one hub's feed that a shard may leave unread, and the announcement when that is too
/// much.
///
/// Items are never dropped silently: once one was left out, all are until the shard has applied
/// those that wait, and then it hears once that it must read the log. Source: rules A.4.
package struct FeedBacklog: Sendable {
    /// How far the feed had come, with the check value of its last record.
    package struct Head: Equatable, Sendable {
        /// The sequence number.
        package var sequence: UInt64
        /// The check value of its record.
        package var check: UInt32
    }

    /// The fate of an item.
    package enum Admission: Equatable, Sendable {
        /// It goes to the shard.
        case post
        /// The shard is too far behind.
        case leaveOut
        /// Left out too, and the announcement goes in its place.
        case announce(Head)
    }

    /// Items that may wait.
    package static let itemsMax = 4_096
    /// Bytes that may wait; one item may go over them.
    package static let bytesMax = 64 << 20

    private let itemsMax: Int
    private let bytesMax: Int
    private var items = 0
    private var bytes = 0
    /// The head of the items that were left out; nil when none was.
    package private(set) var lostHead: Head?

    /// Nothing waits.
    package init(itemsMax: Int = Self.itemsMax, bytesMax: Int = Self.bytesMax) {
        self.itemsMax = itemsMax
        self.bytesMax = bytesMax
    }

    /// Decides about the next item.
    package mutating func admit(_ item: FeedItem) -> Admission {
        if lostHead != nil {
            guard items == 0 else {
                lostHead = item.last
                return .leaveOut
            }
            lostHead = nil
            return .announce(item.last)
        }
        guard items < itemsMax, bytes < bytesMax else {
            lostHead = item.last
            return .leaveOut
        }
        items += 1
        bytes += item.weight
        return .post
    }

    /// The mailbox had no room for what `admit` let through.
    package mutating func failed(_ item: FeedItem, _ admission: Admission) {
        if admission == .post {
            items -= 1
            bytes -= item.weight
        }
        lostHead = item.last
    }

    /// The mailbox had no room for an announcement.
    package mutating func failed(_ head: Head) { lostHead = head }

    /// The shard has applied items; the head to announce now, if any.
    package mutating func applied(_ count: Int, weighing weight: Int) -> Head? {
        items -= count
        bytes -= weight
        guard items == 0, let head = lostHead else { return nil }
        lostHead = nil
        return head
    }
}

extension FeedItem {
    /// Where the feed stands with it.
    package var last: FeedBacklog.Head { FeedBacklog.Head(sequence: head, check: headCheck) }

    /// About how many bytes it holds while it waits.
    package var weight: Int {
        records.reduce(256 * (changes.count + 1)) { $0 + 256 + $1.draft.weight }
    }
}
