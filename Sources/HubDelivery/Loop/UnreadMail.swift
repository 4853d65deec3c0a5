/// Mail that waits for its turn, in order; what was read does not stay for long.
package struct UnreadMail<Mail> {
    /// Read mail that is kept at most, unless more is unread: to drop it moves the rest.
    package static var readMax: Int { 1_024 }

    private var mail: [Mail] = []
    private var read = 0

    /// Nothing waits.
    package init() {}

    /// Whether nothing waits.
    package var isEmpty: Bool { read == mail.count }

    /// Mail in memory, read or not.
    package var held: Int { mail.count }

    /// Adds mail behind what waits.
    package mutating func append(contentsOf batch: [Mail]) { mail.append(contentsOf: batch) }

    /// Takes the first that waits; nil when none does.
    package mutating func next() -> Mail? {
        guard !isEmpty else { return nil }
        let first = mail[read]
        read += 1
        if isEmpty {
            mail.removeAll(keepingCapacity: mail.count < Self.readMax)
            read = 0
        } else if read >= Self.readMax, read * 2 >= mail.count {
            mail.removeFirst(read)
            read = 0
        }
        return first
    }
}
