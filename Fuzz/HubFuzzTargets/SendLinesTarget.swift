import HubModel
import HubRules
import HubVocabulary

/// Bodies of requests with many sends.
///
/// Properties: every line that is not blank has one outcome, in order, with the number of the line; a
/// refusal says something; what can be sent is read again to the same when its body stands as text
/// or base64 on a line that is written anew.
package func fuzzSendLines(_ bytes: Span<UInt8>) {
    let text = bytes.copied
    let now = Timestamp(milliseconds: 1_777_885_923_123)
    let lines: [SendLines.Line]
    do throws(Refusal) {
        lines = try SendLines.read(text, headers: [], rule: "r", now: now)
    } catch {
        switch error {
        case .invalid(field: "body", _), .tooManyInRequest: return
        default: preconditionFailure("\(error) says nothing about the whole")
        }
    }
    let given = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    let expected = given.indices.filter { index in
        given[index].contains { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
    }
    precondition(lines.map(\.number) == expected.map { $0 + 1 }, "other lines")
    for line in lines {
        let source = Array(given[line.number - 1])
        switch line.draft {
        case .failure(let refusal):
            precondition((400..<500).contains(refusal.status) && !refusal.detail.isEmpty)
        case .success(let draft): checkWritten(draft, source, now)
        }
    }
}

/// What would be stored of a draft.
private func stored(_ draft: NotificationDraft) -> [UInt8] {
    let id = NotificationID(high: 1, low: 2)
    return NotificationCodec.encode(
        NotificationRecord(sequence: 1, id: id, draft: draft)
    )
}

/// The same line with its body in base64 behind everything else is the same notification.
private func checkWritten(_ draft: NotificationDraft, _ source: [UInt8], _ now: Timestamp) {
    do throws(Refusal) {
        let request = try SendLine.request(source.span, rule: "r")
        precondition(request.body == draft.body, "another body")
        var single = request
        single.body = draft.body
        let again = try SendRules.draft(of: single, now: now)
        precondition(stored(again) == stored(draft), "another notification")
        let written = Array("{\"bodyBase64\":\"\(Base64.encode(request.body))\"}".utf8)
        guard written.count <= CoreLimits.standard.sendLineBytesMax else { return }
        let bytes = try SendLine.request(written.span, rule: "r").body
        precondition(bytes == request.body, "other bytes")
    } catch { preconditionFailure("what was taken is refused: \(error)") }
}
