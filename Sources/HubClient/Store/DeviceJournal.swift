import Crypto
import HubVocabulary

/// The content of a device's file: a line, then records.
///
///     belfry-device 2 \n
///     record: u32 mark | u32 length | 16 bytes SHA-256 of (u64 place, body) | body
///
/// The first record holds everything, each later one the change of a commit. The digest tells a
/// damaged file from a good one before anything in it is believed. A last record that is not whole
/// was cut by a crash: its commit has not happened. One with a whole record behind it is damage.
enum DeviceJournal {
    /// How much of a file is what.
    struct Extent: Equatable, Sendable {
        /// Bytes of the file.
        var bytes: Int
        /// Bytes up to the end of the first record.
        var wholeBytes: Int

        var journalBytes: Int { bytes - wholeBytes }
    }

    private static let word = "belfry-device "
    private static let version = 2
    private static let mark: UInt32 = 0xBE1F_0D0C
    private static let digestBytes = 16
    private static let headBytes = 8 + digestBytes

    /// A file with everything.
    static func file(_ memory: DeviceMemory) -> [UInt8] {
        let line = Array("\(word)\(version)\n".utf8)
        let body = RecordBody.encode(
            StoreChange(state: memory.state, adding: memory.waiting),
            after: nil
        )
        return line + framed(body, at: line.count)
    }

    /// A record for a change of what a file holds, for a place in that file.
    static func record(
        _ change: StoreChange,
        after memory: DeviceMemory,
        at place: Int
    ) -> [UInt8] {
        framed(RecordBody.encode(change, after: memory.state), at: place)
    }

    private static func framed(_ body: [UInt8], at place: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headBytes + body.count)
        bytes.appendBigEndian(mark)
        bytes.appendBigEndian(UInt32(body.count))
        bytes += digest(of: body[...], at: place)
        return bytes + body
    }

    private static func digest(of body: ArraySlice<UInt8>, at place: Int) -> some Sequence<UInt8> {
        var hash = SHA256()
        var head: [UInt8] = []
        head.appendBigEndian(UInt64(place))
        hash.update(data: head)
        hash.update(data: body)
        return hash.finalize().prefix(digestBytes)
    }

    /// Reads a file; the extent is nil when its last record was cut.
    static func decode(
        _ bytes: [UInt8],
        path: String
    ) throws(DeviceStoreError) -> (DeviceMemory, Extent?) {
        guard bytes.starts(with: word.utf8) else { throw .notADeviceFile(path: path) }
        guard let lineEnd = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            throw .damaged(path: path, reason: "the first line is cut")
        }
        let line = String(decoding: bytes[word.utf8.count..<lineEnd], as: UTF8.self)
        guard let written = line.split(separator: " ").first.flatMap({ Int($0) }) else {
            throw .damaged(path: path, reason: "the first line cannot be read")
        }
        guard written == version else {
            throw .versionUnsupported(path: path, version: written)
        }
        var memory = DeviceMemory()
        var place = lineEnd + 1
        guard let first = body(in: bytes, at: place) else {
            throw .damaged(path: path, reason: "the checksum does not fit")
        }
        try read(first, of: bytes, into: &memory, path)
        place = first.upperBound
        let wholeBytes = place
        while let next = body(in: bytes, at: place) {
            try read(next, of: bytes, into: &memory, path)
            place = next.upperBound
        }
        if place == bytes.count { return (memory, Extent(bytes: place, wholeBytes: wholeBytes)) }
        guard !holdsRecord(bytes, behind: place) else {
            throw .damaged(path: path, reason: "a checksum does not fit")
        }
        return (memory, nil)
    }

    /// Whether a whole record comes later: then the one at the place was damaged, not cut.
    ///
    /// A cut record may be full of bytes that look like the beginning of others, each as long as the
    /// file. The search ends when it has hashed eight times the file: the record counts as cut then,
    /// and the hub delivers it again.
    private static func holdsRecord(_ bytes: [UInt8], behind place: Int) -> Bool {
        var left = 8 * bytes.count
        for later in (place + 1)..<bytes.count {
            guard let claimed = claimedBody(in: bytes, at: later) else { continue }
            left -= claimed.count
            guard left >= 0 else { return false }
            if body(in: bytes, at: later) != nil { return true }
        }
        return false
    }

    /// Where the body of the record at a place lies; nil when no whole record is there.
    private static func body(in bytes: [UInt8], at place: Int) -> Range<Int>? {
        guard let body = claimedBody(in: bytes, at: place) else { return nil }
        let written = bytes[(place + 8)..<body.lowerBound]
        return written.elementsEqual(digest(of: bytes[body], at: place)) ? body : nil
    }

    /// Where a body would lie by the mark and length at a place, whatever its checksum.
    private static func claimedBody(in bytes: [UInt8], at place: Int) -> Range<Int>? {
        guard bytes.count - place >= headBytes, integer(bytes, place) == mark else { return nil }
        let start = place + headBytes
        let count = Int(integer(bytes, place + 4))
        return count <= bytes.count - start ? start..<(start + count) : nil
    }

    private static func integer(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        bytes[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func read(
        _ body: Range<Int>,
        of bytes: [UInt8],
        into memory: inout DeviceMemory,
        _ path: String
    ) throws(DeviceStoreError) {
        do throws(RecordProblem) {
            memory.apply(
                try RecordBody.decode(bytes.span.extracting(body), after: memory.state)
            )
        } catch {
            throw .damaged(path: path, reason: "a field is out of range")
        }
    }
}
