import HubTemplates
package import HubVocabulary

// A key that stays with a line, however often and with which others it is sent. Source: rules B.14.

extension SendLine {
    /// The line with an idempotency key as its last member, unless it has one.
    ///
    /// `key` is visible ASCII without quotes and backslashes. A line that is no JSON object, or an
    /// empty one, stays as it is: it is refused, and positions in it stay true.
    package static func line(
        _ line: [UInt8],
        withKey key: String,
        limits: CoreLimits = .standard
    ) -> [UInt8] {
        guard let end = endWithoutKey(line.span, limits: limits) else { return line }
        var keyed: [UInt8] = []
        keyed.reserveCapacity(line.count + key.utf8.count + 24)
        keyed += line[..<end]
        keyed += ",\"idempotencyKey\":\"\(key)\"".utf8
        keyed += line[end...]
        return keyed
    }

    /// Where the object of a line ends that has members and no key; nil for every other line.
    private static func endWithoutKey(_ line: Span<UInt8>, limits: CoreLimits) -> Int? {
        do throws(JSONTextError) {
            var scanner = try JSONScanner(line, depthMax: limits.sends.nestingMax + 2)
            guard try scanner.next() == .beginObject else { return nil }
            var depth = 1
            var hasMembers = false
            while depth > 0 {
                switch try scanner.next() {
                case .beginObject, .beginArray: depth += 1
                case .endObject, .endArray: depth -= 1
                case .key(let range):
                    hasMembers = true
                    guard depth == 1 else { continue }
                    if isKey(JSONText.decode(range, of: line)) { return nil }
                case .string, .number, .boolean, .null, .end: break
                }
            }
            let end = scanner.position - 1
            guard hasMembers, try scanner.next() == .end else { return nil }
            return end
        } catch {
            return nil
        }
    }
}
