import HubCore

extension SeededRandom {
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
