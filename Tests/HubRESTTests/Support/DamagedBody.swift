import HubTestSupport

/// A request's body to which one to four accidents happened.
enum DamagedBody {
    static func of(_ body: String, using random: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(body.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + 9))
            case 2:
                bytes.insert(
                    contentsOf: "<!]]>&\"/?<a>".utf8.shuffled(using: &random),
                    at: place
                )
            default: bytes.append(contentsOf: bytes[..<place])
            }
            if bytes.isEmpty { bytes = [0x3C] }
        }
        return bytes
    }
}
