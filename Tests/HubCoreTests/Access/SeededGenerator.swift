import HubTestSupport

extension SeededGenerator {
    /// A number from 0 up to, but not including, `limit`.
    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}
