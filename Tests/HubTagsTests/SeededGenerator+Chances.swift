import HubTestSupport

extension SeededGenerator {
    /// A number below `end`, small ones far more often than large ones.
    mutating func skewed(below end: Int) -> Int {
        let reach = Int.random(in: 1...end, using: &self)
        return Int.random(in: 0..<Int.random(in: 1...reach, using: &self), using: &self)
    }

    /// True so many times in a hundred.
    mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }
}
