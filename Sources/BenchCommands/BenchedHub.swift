import ArgumentParser

/// How the hub is started that a benchmark measures.
struct BenchedHub: ParsableArguments {
    @Option(help: "Device threads of the hub, 0 for one per core.")
    var shards = 0

    @Option(help: "CPUs that the hub is pinned to, as taskset takes them.")
    var serverCpus: String?

    @Option(help: "Who seals the hub's TLS records: openssl or own; without it the hub decides.")
    var records: String?

    @Option(help: "How the hub writes: ring (io_uring) or send; without it the hub decides.")
    var submission: String?

    func validate() throws {
        guard (0...256).contains(shards) else {
            throw ValidationError("--shards must be 0 to 256.")
        }
        guard ["openssl", "own", nil].contains(records) else {
            throw ValidationError("--records must be openssl or own.")
        }
        guard ["ring", "send", nil].contains(submission) else {
            throw ValidationError("--submission must be ring or send.")
        }
    }

    /// Whether anything is said of it.
    var isChosen: Bool { shards != 0 || [serverCpus, records, submission] != [nil, nil, nil] }

    /// The same as a value.
    var choice: HubChoice {
        HubChoice(shards: shards, cpus: serverCpus, records: records, submission: submission)
    }
}
