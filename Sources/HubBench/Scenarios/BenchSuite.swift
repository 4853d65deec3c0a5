/// Every scenario with sizes that fit together.
package struct BenchSuite: Sendable {
    private let isQuick: Bool
    private let seed: UInt64

    /// The suite at full size, or at one that takes a few minutes.
    package init(isQuick: Bool, seed: UInt64) {
        self.isQuick = isQuick
        self.seed = seed
    }

    /// The scenarios, in the order in which it is measured.
    package var scenarios: [any BenchScenario] {
        [fanout, burst, targeted, segments, idle, slowReaders, storm, drain, rest]
    }

    private var fanout: FanoutBenchmark {
        var options = FanoutBenchmark.Options()
        options.seed = seed
        options.devices = isQuick ? 500 : 10_000
        options.gap = .milliseconds(isQuick ? 0 : 100)
        return FanoutBenchmark(options: options)
    }

    /// The same with many notifications at once.
    private var burst: FanoutBenchmark {
        var options = FanoutBenchmark.Options()
        options.seed = seed
        options.devices = isQuick ? 200 : 2_000
        options.burst = 64
        options.notifications = isQuick ? 128 : 640
        return FanoutBenchmark(options: options)
    }

    private var targeted: AudienceBenchmark {
        var options = AudienceBenchmark.Options()
        options.seed = seed
        if isQuick {
            options.devices = 500
            options.notifications = 5_000
            options.warmup = 200
            options.window = 200
            options.connections = 16
        }
        return AudienceBenchmark(options: options)
    }

    private var segments: AudienceBenchmark {
        var options = AudienceBenchmark.Options()
        options.seed = seed
        options.tags = isQuick ? 100 : 1_000
        options.notifications = isQuick ? 200 : 2_000
        options.warmup = 100
        options.window = 16
        if isQuick { options.devices = 500 }
        return AudienceBenchmark(options: options)
    }

    private var idle: IdleBenchmark {
        var options = IdleBenchmark.Options()
        options.seed = seed
        if isQuick {
            options.devices = 1_000
            options.minutes = 0.5
            options.keepAliveSeconds = 15
            options.singles = 100
        }
        return IdleBenchmark(options: options)
    }

    private var slowReaders: SlowReadersBenchmark {
        var options = SlowReadersBenchmark.Options()
        options.seed = seed
        if isQuick {
            options.pairs = 1
            options.notifications = 200
        }
        return SlowReadersBenchmark(options: options)
    }

    private var storm: StormBenchmark {
        var options = StormBenchmark.Options()
        options.seed = seed
        options.devices = isQuick ? 500 : 10_000
        options.backlog = isQuick ? 200 : 2_000
        return StormBenchmark(options: options)
    }

    private var drain: DrainBenchmark {
        var options = DrainBenchmark.Options()
        options.seed = seed
        if isQuick { options.notifications = 2_000 }
        return DrainBenchmark(options: options)
    }

    private var rest: RESTBenchmark {
        var options = RESTBenchmark.Options()
        options.seed = seed
        if isQuick {
            options.sends = 2_000
            options.connections = [1, 16]
        }
        return RESTBenchmark(options: options)
    }
}
