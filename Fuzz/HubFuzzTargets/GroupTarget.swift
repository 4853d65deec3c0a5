import HubCluster
import HubModel
import HubVocabulary

/// Groups as a database gives them back and other nodes send them; the first byte says which part.
///
/// Properties: records that are read are written to the same bytes, and nothing shorter is read.
/// Changes that are read are written to bytes that stay the same from then on. Each item of their
/// effect can be read again.
package func fuzzGroup(_ bytes: Span<UInt8>) {
    guard bytes.count > 0 else { return }
    let part = bytes.dropping(1)
    do throws(RecordProblem) {
        if bytes[0] & 1 == 0 {
            try checkRecords(part)
        } else {
            try checkChanges(part)
        }
    } catch { return }
}

private func checkRecords(_ bytes: Span<UInt8>) throws(RecordProblem) {
    let records = try GroupCodec.records(in: bytes, from: 7)
    let below = bytes.copied[5..<9].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    let written = GroupCodec.encode(records, checkBelow: below)
    precondition(written == bytes.copied, "written otherwise")
    for cut in [0, 1, bytes.count / 2, bytes.count - 1] where cut < bytes.count {
        let read = try? GroupCodec.records(in: bytes.keeping(cut), from: 7)
        precondition(read == nil, "read although cut at \(cut)")
    }
}

private func checkChanges(_ bytes: Span<UInt8>) throws(RecordProblem) {
    let changes = try GroupCodec.changes(in: bytes)
    // Jobs of an earlier format are written in that of today.
    let written = GroupCodec.encode(changes, check: 7)
    do throws(RecordProblem) {
        let again = try reread(written)
        precondition(GroupCodec.encode(again, check: 7) == written, "not canonical")
        let effect = GroupEffect(changes, head: 7)
        precondition(effect == GroupEffect(again, head: 7), "another effect")
        for item in effect.puts {
            let written = StoredItem(try item.value())
            precondition(written == item, "another item")
        }
    } catch { preconditionFailure("what was read is not read again: \(error)") }
}

private func reread(_ bytes: [UInt8]) throws(RecordProblem) -> [StoredChange] {
    try GroupCodec.changes(in: bytes.span)
}
