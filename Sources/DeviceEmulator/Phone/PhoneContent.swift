import FoundationEssentials
import HubClient
import HubVocabulary

/// The files of rich content below an app's folder.
struct PhoneContent: Sendable {
    private static let folder = "content"
    /// Content that is text, and shown as such, has at most so many bytes.
    private static let textBytesMax = 65_536

    private let root: String

    /// Those of an app that remembers in a folder.
    init(root: String) { self.root = root }

    /// Writes content to a file of its own and returns its name below the app's folder.
    func keep(_ bytes: [UInt8], _ id: Int, _ mediaType: String) throws(PhoneFault) -> String {
        let folder = root + "/" + Self.folder
        let name = "\(Self.folder)/\(id).\(ContentFile.ending(of: mediaType))"
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try LocalDisk().write(bytes, to: root + "/" + name)
        } catch {
            throw .memory("\(folder) cannot be written")
        }
        return name
    }

    /// The content of an entry as its user sees it.
    /// - Throws: `.memory` when it cannot be read.
    func opened(_ entry: InboxEntry) throws(PhoneFault) -> PhoneLine.OpenedContent {
        // Why it cannot be read helps its user with nothing.
        guard let file = entry.file, let bytes = try? LocalDisk().read(root + "/" + file) else {
            throw .memory("the content is not there any more")
        }
        let mediaType = entry.mediaType ?? ""
        let isShown = ContentFile.isText(mediaType) && bytes.count <= Self.textBytesMax
        return PhoneLine.OpenedContent(
            mediaType: mediaType,
            bytes: bytes.count,
            ends: Self.ends(of: bytes),
            path: root + "/" + file,
            content: isShown ? String(validating: bytes, as: UTF8.self) : nil
        )
    }

    /// The first and the last eight bytes in hex.
    static func ends(of bytes: [UInt8]) -> String {
        HexText.lowercase(bytes.prefix(8) + bytes.suffix(8))
    }

    /// The files that no entry names: a kill leaves them between the one and the other.
    func strays(beside named: [String]) -> [String] {
        // Where there is no such folder there is no content.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/" + Self.folder))
        return (names ?? []).map { "\(Self.folder)/\($0)" }.filter { !named.contains($0) }
    }

    /// Removes a file.
    func remove(_ file: String) throws(PhoneFault) {
        do {
            try FileManager.default.removeItem(atPath: root + "/" + file)
        } catch {
            throw .memory("\(file) of a notification that has gone stays")
        }
    }
}
