import HubModel
import HubRules
import HubTemplates
import HubVocabulary

/// Installations and their patches as they arrive: one line of JSON with the document, the rest a
/// patch.
///
/// Properties: a refusal is one that the caller can correct; what is accepted is read again from
/// its stored text and then stored as the same text, also after the patch; so is what a reader gets.
package func fuzzInstallation(_ bytes: Span<UInt8>) {
    let text = bytes.copied
    let line = Array(text.prefix { $0 != 0x0A })
    let rest = Array(text.dropFirst(line.count + 1))
    guard let document = document(line) else { return }
    check(document)
    do throws(JSONTextError) {
        let tree = try JSONTree(json: rest.span, depthMax: CoreLimits.standard.sends.nestingMax)
        if let changed = correctable({ () throws(Refusal) in
            try InstallationPatch(tree, limits: .standard).apply(to: document, limits: .standard)
        }) {
            precondition(changed.id == document.id && changed.platform == document.platform)
            check(changed)
        }
    } catch { return }
}

/// The document of a text, whatever id it has.
private func document(_ text: [UInt8]) -> InstallationDocument? {
    do throws(JSONTextError) {
        let tree = try JSONTree(json: text.span, depthMax: CoreLimits.standard.sends.nestingMax)
        guard case .object(let members) = tree else { return nil }
        let ids = members.compactMap { member -> [UInt8]? in
            guard case .string(let id) = member.value else { return nil }
            return member.name == Array("installationId".utf8) ? id : nil
        }
        return correctable { () throws(Refusal) in
            try InstallationReader.document(tree, id: ids.last ?? [], limits: .standard)
        }
    } catch { return nil }
}

private func check(_ document: InstallationDocument) {
    let draft = correctable { () throws(Refusal) in
        try InstallationDraft(document, limits: .standard)
    }
    guard let draft else { return }
    let stored = Installation(
        number: InstallationNumber(1),
        id: draft.id,
        platform: draft.platform,
        text: draft.text,
        expires: draft.expires
    )
    checkRecord(stored)
    for text in [draft.text, stored.answer(channelExpired: true, limits: .standard)] {
        guard let again = reread(text, stored) else {
            preconditionFailure("an accepted installation can't be read again")
        }
        precondition(again.text == draft.text, "not canonical")
        precondition(again.parts.count == draft.parts.count, "other registrations")
    }
}

private func reread(_ text: [UInt8], _ stored: Installation) -> InstallationDraft? {
    var copy = stored
    copy.text = text
    guard let document = copy.document(limits: .standard) else { return nil }
    return correctable { () throws(Refusal) in
        try InstallationDraft(document, limits: .standard)
    }
}

private func checkRecord(_ installation: Installation) {
    let bytes = InstallationCodec.encode(installation)
    checkRecord(bytes.span, installation)
}

private func checkRecord(_ bytes: Span<UInt8>, _ installation: Installation) {
    do throws(RecordProblem) {
        let read = try InstallationCodec.decode(bytes)
        precondition(read == installation, "read otherwise")
    } catch { preconditionFailure("a written installation can't be read: \(error)") }
}

/// What the rules make of some input; nil when they refuse it in words for its author.
private func correctable<Value>(_ body: () throws(Refusal) -> Value) -> Value? {
    do throws(Refusal) { return try body() } catch {
        switch error {
        case .invalid(let field, let reason): precondition(!field.isEmpty && !reason.isEmpty)
        case .tooLarge, .tooMany: break
        default: preconditionFailure("\(error) says nothing about the installation")
        }
        return nil
    }
}
