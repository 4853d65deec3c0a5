import Testing

@testable import HubBench

@Suite("All benchmarks")
struct BenchSuiteTests {
    @Test("reports of one scenario differ in what it was told", arguments: [true, false])
    func suite(isQuick: Bool) {
        let scenarios = BenchSuite(isQuick: isQuick, seed: 1).scenarios
        let told = scenarios.map { "\($0.name) \($0.settings.sorted { $0.key < $1.key })" }
        #expect(Set(scenarios.map(\.name)).count == 8)
        #expect(Set(told).count == 9 && told.count == 9)
    }
}
