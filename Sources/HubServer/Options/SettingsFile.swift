import Foundation
import HubData
import HubTemplates

/// `belfry.json`, as far as it can be checked before its values are known.
struct SettingsFile {
    /// Levels of nesting.
    private static let depthMax = 8

    /// The names of all settings in it: a dot for each nested object.
    let names: [String]

    /// Reads the file; nil when there is none.
    /// - Throws: `.brokenFile` with line and column when it is no JSON object.
    init?(path: String) throws(ServerError) {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .brokenFile(path: path, reason: "cannot be read")
        }
        let bytes = [UInt8](data)
        do throws(JSONTextError) {
            let tree = try JSONTree(json: bytes.span, depthMax: Self.depthMax)
            guard case .object(let members) = tree else {
                throw JSONTextError(offset: 0, fault: .notAnObject)
            }
            names = Self.names(members, below: "")
        } catch {
            let before = bytes.prefix(error.offset)
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            throw .brokenFile(
                path: path,
                reason: "line \(line), column \(before.count - start + 1): \(error.fault.reason)"
            )
        }
    }

    private static func names(_ members: [JSONMember], below path: String) -> [String] {
        members.flatMap { member in
            let name = path + String(decoding: member.name, as: UTF8.self)
            guard case .object(let inner) = member.value else { return [name] }
            return names(inner, below: name + ".")
        }
    }
}
