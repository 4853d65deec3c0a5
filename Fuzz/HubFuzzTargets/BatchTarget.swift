import HubRules
import HubVocabulary

/// Bodies of batch sends: the content type up to the first line feed, then the body.
///
/// Properties: a refusal names what the sender can correct; what is read is read again to the same
/// when a client writes it, however hostile the payload.
package func fuzzBatch(_ bytes: Span<UInt8>) {
    let text = bytes.copied
    let end = text.firstIndex(of: 0x0A) ?? text.count
    do throws(Refusal) {
        let batch = try BatchBody(
            Array(text[min(end + 1, text.count)...]),
            contentType: Array(text[..<end])
        )
        precondition((1...1_000).contains(batch.handles.count), "\(batch.handles.count) handles")
        checkWritten(batch)
    } catch {
        guard case .invalid(let field, let reason) = error else {
            preconditionFailure("\(error) says nothing about the batch")
        }
        precondition(!field.isEmpty && !reason.isEmpty)
    }
}

private func checkWritten(_ batch: BatchBody) {
    let boundary = boundary(outside: batch.notification)
    var body = Array("--\(boundary)\r\ncontent-disposition: inline; name=devices\r\n\r\n[".utf8)
    for (index, handle) in batch.handles.enumerated() {
        body += Array((index > 0 ? ",\"" : "\"").utf8)
        for byte in handle {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): body += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                body += Array("\\u00\(digits.utf8.count < 2 ? "0" : "")\(digits)".utf8)
            default: body.append(byte)
            }
        }
        body.append(UInt8(ascii: "\""))
    }
    body += Array("]\r\n--\(boundary)\r\nContent-Disposition: inline; name=notification\r\n".utf8)
    body += Array("Content-Type: \r\n\r\n".utf8) + batch.notification
    body += Array("\r\n--\(boundary)--\r\n".utf8)
    let type = Array("multipart/mixed; boundary=\(boundary)".utf8)
    do throws(Refusal) {
        let again = try BatchBody(body, contentType: type)
        precondition(again.handles == batch.handles, "other handles")
        precondition(again.notification == batch.notification, "another payload")
    } catch { preconditionFailure("what was written is refused: \(error)") }
}

/// A boundary that a payload does not hold, of few characters: a longer one than 70 is refused.
private func boundary(outside payload: [UInt8]) -> String {
    var number = 0
    while payload.contains(Array("--b\(number)".utf8)) { number += 1 }
    return "b\(number)"
}
