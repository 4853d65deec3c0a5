import Benchmark

/// Operations of the hot path, one by one.
///
///     MicroBench                  measures all; the framework's options work
///     MicroBench list             their names, a line each
///     MicroBench count NAME N     does one N times and says nothing, for counting instructions
@main
struct MicroBench: BenchmarkRunnerHooks {
    static func main() async {
        let arguments = CommandLine.arguments
        if arguments.count == 2, arguments[1] == "list" {
            for operation in Operation.all() { print(operation.name) }
        } else if arguments.count == 4, arguments[1] == "count" {
            guard let operation = Operation.all().first(where: { $0.name == arguments[2] }),
                let count = Int(arguments[3]), count >= 0
            else { fatalError("no such operation, or no number") }
            operation.run(count)
        } else {
            await BenchmarkRunner.setupBenchmarkRunner(registerBenchmarks: registerBenchmarks)
        }
    }

    /// Each does its operation a thousand times in an iteration; results are for one.
    static func registerBenchmarks() {
        for operation in Operation.all() {
            Benchmark(
                operation.name,
                configuration: .init(
                    metrics: [.wallClock],
                    warmupIterations: 3,
                    scalingFactor: .kilo,
                    maxDuration: .seconds(3)
                )
            ) { benchmark in operation.run(benchmark.scaledIterations.count) }
        }
    }
}
