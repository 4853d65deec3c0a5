package import HubModel
package import HubVocabulary

/// A request that holds many sends, each on a line of its own.
///
/// Source: REST §8.
package enum SendLines {
    /// One line with what it asks for.
    package struct Line: Sendable {
        /// Where it stands in the body, from 1; blank lines count.
        package var number: Int
        /// The notification, or why it is none.
        package var draft: Result<NotificationDraft, Refusal>
    }

    /// Bytes of an `Idempotency-Key` of the whole request: each line adds a slash and its number.
    package static func keyBytesMax(_ limits: CoreLimits = .standard) -> Int {
        limits.idempotency.idempotencyKeyBytesMax - 1
            - String(limits.batches.sendLinesBytesMax).utf8.count
    }

    /// Reads a body; blank lines are passed over, and a line that cannot be sent is no reason not to
    /// send the others.
    ///
    /// `headers` are those of the request. With an `Idempotency-Key` there, a line that has no key of
    /// its own gets that one with a slash and its number.
    /// - Throws: `.invalid` when there is no line, for the key, and for a header that would mean
    ///   something to a single send; `.tooManyInRequest` for too many lines.
    package static func read(
        _ body: [UInt8],
        headers: [NamedValue],
        rule: String,
        now: Timestamp,
        limits: CoreLimits = .standard
    ) throws(Refusal) -> [Line] {
        let key = try key(headers, rule: rule, limits: limits)
        var lines: [Line] = []
        var number = 0
        // The mark that some editors put in front of UTF-8 is no part of the first line.
        var start = body.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < body.count {
            number += 1
            let end = body[start...].firstIndex(of: UInt8(ascii: "\n")) ?? body.count
            defer { start = end + 1 }
            let line = body.span.extracting(start..<end)
            guard !isBlank(line) else { continue }
            guard lines.count < limits.batches.sendLinesMax else {
                throw .tooManyInRequest(what: "lines", limit: limits.batches.sendLinesMax)
            }
            do throws(Refusal) {
                var request = try SendLine.request(line, rule: rule, limits: limits)
                if let key { request.add(key: key + Array("/\(number)".utf8)) }
                let draft = try SendRules.draft(of: request, now: now, limits: limits)
                lines.append(Line(number: number, draft: .success(draft)))
            } catch {
                lines.append(Line(number: number, draft: .failure(error)))
            }
        }
        guard !lines.isEmpty else {
            throw .invalid(field: "body", reason: "has no line; each is a JSON object")
        }
        return lines
    }

    /// The key of the whole request; nil when it brings none.
    private static func key(
        _ headers: [NamedValue],
        rule: String,
        limits: CoreLimits
    ) throws(Refusal) -> [UInt8]? {
        let request = SendRequest(headers: headers, body: [], rule: rule)
        for header in [SendHeader.format, .tags, .deviceHandle, .scheduleTime] {
            guard try request.value(of: header) == nil else {
                throw .invalid(
                    field: header.spelling,
                    reason: "means nothing here; each line says for itself what is sent to whom"
                )
            }
        }
        guard let key = try IdempotencyKey.value(of: request, limits: limits) else { return nil }
        let most = keyBytesMax(limits)
        guard key.count <= most else {
            throw .invalid(
                field: SendHeader.idempotencyKey.spelling,
                reason: "must have 1 to \(most) bytes, since each line adds its number"
            )
        }
        return key
    }

    private static func isBlank(_ line: Span<UInt8>) -> Bool {
        for index in line.indices where !ASCII.isBlank(line[index]) { return false }
        return true
    }
}

extension SendRequest {
    /// Gives it an idempotency key, unless it has one.
    fileprivate mutating func add(key: [UInt8]) {
        let name = SendHeader.idempotencyKey.name
        guard !headers.contains(where: { $0.name == name }) else { return }
        headers.append(NamedValue(name: name, value: key))
    }
}
