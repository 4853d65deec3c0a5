import HubClient
import HubVocabulary

/// Which device is in which audience, decided by a seed.
struct AudienceGroups: Sendable {
    private let members: [[Int]]
    private let tagsOfDevice: [[Int]]
    private let audiences: [BenchAudience]
    private let isTargeted: Bool

    init(_ options: AudienceBenchmark.Options) {
        isTargeted = options.tags == nil
        guard let tags = options.tags else {
            members = []
            tagsOfDevice = []
            audiences = (0..<options.devices).map(BenchAudience.one)
            return
        }
        var random = SeededRandom(seed: options.seed ^ 0x5E6)
        var members = [[Int]](repeating: [], count: tags)
        var tagsOfDevice: [[Int]] = []
        for device in 0..<options.devices {
            var own: [Int] = []
            while own.count < min(options.tagsPerDevice, tags) {
                let tag = Int.random(in: 0..<tags, using: &random)
                if !own.contains(tag) { own.append(tag) }
            }
            for tag in own { members[tag].append(device) }
            tagsOfDevice.append(own)
        }
        self.members = members
        self.tagsOfDevice = tagsOfDevice
        audiences = members.map(BenchAudience.some)
    }

    /// How many audiences there are.
    var count: Int { audiences.count }

    func audience(_ group: Int) -> BenchAudience { audiences[group] }

    func tag(_ group: Int) -> String { isTargeted ? "device:\(group)" : "segment-\(group)" }

    func tags(ofDevice device: Int) -> [String] {
        isTargeted ? [tag(device)] : tagsOfDevice[device].map(tag)
    }
}
