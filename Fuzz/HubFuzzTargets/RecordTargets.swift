import HubModel
import HubRules
import HubVocabulary

/// Registrations as the store keeps them, and the rules for what callers may store.
///
/// Properties: what is read is written to the same bytes; nothing shorter is read; content that
/// passes the rules passes them unchanged again and survives the store.
package func fuzzRegistrationRecord(_ bytes: Span<UInt8>) {
    do throws(RecordProblem) {
        let registration = try RegistrationCodec.decode(bytes)
        precondition(RegistrationCodec.encode(registration) == bytes.copied, "written otherwise")
        for cut in [0, 1, bytes.count / 2, bytes.count - 1] where cut >= 0 && cut < bytes.count {
            precondition(
                (try? RegistrationCodec.decode(bytes.keeping(cut))) == nil,
                "cut at \(cut)"
            )
        }
        checkRules(registration)
    } catch { return }
}

private func checkRules(_ registration: Registration) {
    do throws(Refusal) {
        var stored = registration
        stored.content = try registration.content.validated()
        let written = RegistrationCodec.encode(stored)
        precondition(rewritten(written.span) == written, "accepted, and not read again")
        let again = try stored.content.validated()
        _ = try stored.content.compiledTemplate()
        stored.content = again
        precondition(RegistrationCodec.encode(stored) == written, "not canonical")
    } catch { return }
}

private func rewritten(_ bytes: Span<UInt8>) -> [UInt8]? {
    do throws(RecordProblem) {
        return RegistrationCodec.encode(try RegistrationCodec.decode(bytes))
    } catch { return nil }
}

/// Log records as the store keeps them.
///
/// Properties: what is read is written to the same bytes; nothing shorter is read.
package func fuzzNotificationRecord(_ bytes: Span<UInt8>) {
    do throws(RecordProblem) {
        let record = try NotificationCodec.decode(bytes, sequence: 7)
        precondition(NotificationCodec.encode(record) == bytes.copied, "written otherwise")
        for cut in [0, 1, bytes.count / 2, bytes.count - 1] where cut >= 0 && cut < bytes.count {
            let read = try? NotificationCodec.decode(bytes.keeping(cut), sequence: 7)
            precondition(read == nil, "read although cut at \(cut)")
        }
    } catch { return }
}

/// Whether some bytes are a registration, or a log record, as the present release writes them: what
/// the fuzzers begin with should be.
package func isStoredRecord(_ bytes: Span<UInt8>) -> Bool {
    (try? RegistrationCodec.decode(bytes)) != nil
        || (try? NotificationCodec.decode(bytes, sequence: 7)) != nil
}

/// Sends as they arrive: headers in lines `name: value` up to an empty line, then the body.
///
/// The first byte says whether it is direct, and whether it is for later. Properties: a refusal is one
/// that the sender can correct; what is accepted survives the store unchanged.
package func fuzzSend(_ bytes: Span<UInt8>) {
    guard bytes.count > 0 else { return }
    let text = bytes.dropping(1).copied
    var headers: [NamedValue] = []
    var rest = text[...]
    while let end = rest.firstIndex(of: 0x0A), end > rest.startIndex, headers.count < 64 {
        let line = rest[..<end]
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        headers.append(
            NamedValue(name: Array(line[..<colon]), value: Array(line[colon...].dropFirst()))
        )
        rest = rest[(end + 1)...]
    }
    let request = SendRequest(
        headers: headers,
        isDirect: bytes[0] & 1 != 0,
        body: Array(rest.dropFirst())
    )
    let now = Timestamp(milliseconds: 1_700_000_000_000)
    do throws(Refusal) {
        if bytes[0] & 2 == 0 {
            checkLog(try SendRules.draft(of: request, now: now))
        } else {
            checkSchedule(try ScheduleRules.request(of: request, now: now), now: now)
        }
    } catch {
        switch error {
        case .invalid(let field, let reason): precondition(!field.isEmpty && !reason.isEmpty)
        case .tooLarge, .tooMany: break
        default: preconditionFailure("\(error) says nothing about the send")
        }
    }
}

private func checkLog(_ draft: NotificationDraft) {
    let written = NotificationCodec.encode(
        NotificationRecord(
            sequence: 1,
            id: NotificationID(high: 1 << 16 | 7 << 12, low: 2 << 62),
            draft: draft
        )
    )
    checkReading(written.span)
}

private func checkSchedule(_ request: ScheduleRequest, now: Timestamp) {
    precondition(request.due <= now.adding(seconds: 604_800), "scheduled too far ahead")
    let written = ScheduleCodec.encode(
        ScheduledNotification(
            id: ScheduleID(high: 1 << 16 | 7 << 12, low: 2 << 62),
            due: request.due,
            notAfter: request.notAfter,
            draft: request.draft
        )
    )
    checkReadingSchedule(written.span)
}

private func checkReadingSchedule(_ bytes: Span<UInt8>) {
    do throws(RecordProblem) {
        let read = try ScheduleCodec.decode(bytes)
        precondition(ScheduleCodec.encode(read) == bytes.copied, "the store changed a schedule")
    } catch { preconditionFailure("an accepted schedule can't be read again: \(error)") }
}

private func checkReading(_ bytes: Span<UInt8>) {
    do throws(RecordProblem) {
        let record = try NotificationCodec.decode(bytes, sequence: 1)
        precondition(NotificationCodec.encode(record) == bytes.copied, "the log changed a send")
    } catch { preconditionFailure("an accepted send can't be read from the log: \(error)") }
}
