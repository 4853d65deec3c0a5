import Foundation

/// Files of the data folder that hold one JSON value.
package enum JSONFile {
    /// Reads a file's value; nil when the file is missing.
    ///
    /// - Throws: `.brokenFile` when it says something else, `.folder` when it cannot be read.
    package static func read<Content: Decodable>(_ path: String) throws(ServerError) -> Content? {
        guard let bytes = try DataFolder.read(path) else { return nil }
        do {
            return try JSONDecoder().decode(Content.self, from: Data(bytes))
        } catch {
            throw .brokenFile(path: path, reason: "not the JSON that was written there")
        }
    }

    /// Replaces a file in one step by a value and `end`.
    package static func write(
        _ content: some Encodable,
        to path: String,
        followedBy end: String = ""
    ) throws(ServerError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let value: Data
        do {
            value = try encoder.encode(content)
        } catch {
            throw .brokenFile(path: path, reason: "cannot be written as JSON")
        }
        try DataFolder.write([UInt8](value) + end.utf8, to: path)
    }
}
