package import HubRelay
package import NIOCore

/// A request's header block for one connection.
///
/// Source: RFC 7541.
///
/// Path, token and what differs in each request stay out of the peer's table, as Apple asks. The
/// bytes of a head are kept as long as they mean the same.
package struct HeaderWriter {
    /// Heads whose bytes are kept at most.
    private static let headsMax = 64
    /// Bytes of the peer's table that are used at most.
    private static let tableBytesMax = 4_096
    /// Entries before the first of the peer's table, and bytes that one takes beside its text.
    private static let (staticCount, entryBytes) = (61, 32)

    private struct Entry {
        let name: String
        let value: String

        var size: Int { name.utf8.count + value.utf8.count + HeaderWriter.entryBytes }
    }

    /// Names whose fields stay out of the table.
    private let literal: Set<String>
    /// The peer's table, the newest first.
    private var table: [Entry] = []
    private var tableBytes = 0
    private var limit = HeaderWriter.tableBytesMax
    /// The smallest limit since the last block, which the next one has to begin with.
    private var resized: Int?
    private var heads: [ObjectIdentifier: (head: RelayHead, bytes: [UInt8])] = [:]
    /// The bytes in front of a path and of an own value, as they were written last: the same in nearly
    /// each request.
    private var front = (authority: "", bytes: [UInt8]())
    private var own = (name: "", bytes: [UInt8]())

    /// A writer of a new connection; the token may stay in the peer's table, or has to stay out.
    package init(keepsAuthorization: Bool) {
        literal =
            keepsAuthorization
            ? [] : ["authorization", "apns-expiration", "apns-collapse-id"]
    }

    /// The peer's table may have so many bytes.
    package mutating func resize(_ bytes: Int) {
        let size = min(bytes, Self.tableBytesMax)
        guard size != limit else { return }
        resized = min(resized ?? size, size)
        limit = size
        heads = [:]
        evict(down: resized ?? size)
    }

    /// Writes the block of a request.
    package mutating func write(_ request: RelayRequest, to output: inout ByteBuffer) {
        if let smallest = resized {
            Self.number(smallest, prefix: 5, 0x20, &output)
            if smallest != limit { Self.number(limit, prefix: 5, 0x20, &output) }
            resized = nil
        }
        let authority = request.authority
        if front.authority != authority || front.bytes.isEmpty {
            front = (authority, Self.front(authority))
        }
        output.writeBytes(front.bytes)
        Self.text(request.path, &output)
        write(request.head, &output)
        if let (name, value) = request.identifier {
            if own.name != name || own.bytes.isEmpty { own = (name, Self.own(name)) }
            output.writeBytes(own.bytes)
            Self.text(value, &output)
        }
        // Servers ask for a length where there is no content; the name is the table's 28th.
        if request.body.isEmpty {
            output.writeMultipleIntegers(UInt8(0x0F), UInt8(0x0D))
            Self.text("0", &output)
        }
    }

    private mutating func write(_ head: RelayHead, _ output: inout ByteBuffer) {
        if let known = heads[ObjectIdentifier(head)] {
            output.writeBytes(known.bytes)
            return
        }
        let start = output.writerIndex
        var isLasting = true
        for (name, value) in head.headers {
            let entry = Entry(name: name, value: value)
            if literal.contains(name) || entry.size > limit {
                Self.literal(name, value, 0, &output)
            } else if let index = table.firstIndex(where: { $0.name == name && $0.value == value })
            {
                Self.number(Self.staticCount + 1 + index, prefix: 7, 0x80, &output)
            } else {
                Self.literal(name, value, 0x40, &output)
                insert(entry)
                isLasting = false
            }
        }
        // A block that changed the table would change it again.
        guard isLasting else { return }
        if heads.count >= Self.headsMax { heads.removeAll(keepingCapacity: true) }
        let bytes = output.getBytes(at: start, length: output.writerIndex - start) ?? []
        heads[ObjectIdentifier(head)] = (head, bytes)
    }

    // MARK: The peer's table

    private mutating func insert(_ entry: Entry) {
        // The places of all others change.
        heads.removeAll(keepingCapacity: true)
        evict(down: limit - entry.size)
        table.insert(entry, at: 0)
        tableBytes += entry.size
    }

    private mutating func evict(down size: Int) {
        while tableBytes > size, let last = table.popLast() { tableBytes -= last.size }
    }

    // MARK: Fields

    /// `POST` and `https` have entries of the static table, as the names of host and path have.
    private static func front(_ authority: String) -> [UInt8] {
        var bytes = ByteBuffer(bytes: [0x83, 0x87, 0x01])
        text(authority, &bytes)
        bytes.writeInteger(UInt8(0x04))
        return Array(bytes.readableBytesView)
    }

    /// A field that stays out of the table, up to its value.
    private static func own(_ name: String) -> [UInt8] {
        var bytes = ByteBuffer(bytes: [0])
        text(name, &bytes)
        return Array(bytes.readableBytesView)
    }

    private static func literal(
        _ name: String,
        _ value: String,
        _ form: UInt8,
        _ output: inout ByteBuffer
    ) {
        output.writeInteger(form)
        text(name, &output)
        text(value, &output)
    }

    private static func text(_ text: String, _ output: inout ByteBuffer) {
        number(text.utf8.count, prefix: 7, 0, &output)
        output.writeString(text)
    }

    /// A number behind `prefix` bits of a first byte.
    private static func number(
        _ number: Int,
        prefix: Int,
        _ form: UInt8,
        _ output: inout ByteBuffer
    ) {
        let most = (1 << prefix) - 1
        guard number >= most else {
            output.writeInteger(form | UInt8(number))
            return
        }
        output.writeInteger(form | UInt8(most))
        var rest = number - most
        while rest >= 128 {
            output.writeInteger(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        output.writeInteger(UInt8(rest))
    }
}
