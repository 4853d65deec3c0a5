import HubCluster
import HubVocabulary

/// Sends and answers as nodes of a database give them to each other; the first byte says which.
///
/// Properties: what is read is written to the same bytes, and nothing shorter is read.
package func fuzzBundle(_ bytes: Span<UInt8>) {
    guard bytes.count > 0 else { return }
    let part = bytes.dropping(1)
    let isAnswers = bytes[0] & 1 == 1
    guard let written = rewritten(part, isAnswers: isAnswers) else { return }
    precondition(written == part.copied, "written otherwise")
    for cut in [0, 1, part.count / 2, part.count - 1] where cut < part.count {
        precondition(
            rewritten(part.keeping(cut), isAnswers: isAnswers) == nil,
            "read although cut at \(cut)"
        )
    }
}

/// The bytes of what is read; nil when nothing is.
private func rewritten(_ bytes: Span<UInt8>, isAnswers: Bool) -> [UInt8]? {
    do throws(RecordProblem) {
        guard isAnswers else {
            let sends = try BundleCodec.sends(in: bytes)
            precondition(sends.allSatisfy(\.fits), "a send does not fit")
            return BundleCodec.encode(sends)
        }
        let answers = try BundleCodec.answers(in: bytes)
        precondition(answers.allSatisfy(\.fits), "an answer does not fit")
        return BundleCodec.encode(answers)
    } catch { return nil }
}
