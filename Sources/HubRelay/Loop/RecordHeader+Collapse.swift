import Crypto
import HubModel
import HubTags
import HubVocabulary

extension RecordHeader {
    /// A hash of collapse key, format and target: of two equal ones the newer is enough; nil
    /// without a key, and for one that names its devices.
    var collapseHash: UInt64? {
        guard !collapseKey.isEmpty else { return nil }
        var text: [UInt8] = [UInt8(collapseKey.count)] + collapseKey
        switch format {
        case .native(let platform): text.append(platform.rawValue)
        case .template: text.append(.max)
        }
        switch target {
        case .broadcast: break
        case .tags(let expression): text += expression.source
        case .handles, .slots: return nil
        }
        return SHA256.hash(data: text).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
