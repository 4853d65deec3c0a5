// swift-tools-version: 6.2
import PackageDescription

// Arrows point down only: TidyTests compares this with the table in Sources/Targets.md.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableExperimentalFeature("Lifetimes"),
]

func target(_ name: String, _ uses: [Target.Dependency] = [], path: String? = nil) -> Target {
    .target(name: name, dependencies: uses, path: path, swiftSettings: settings)
}

func tests(_ subject: String, _ uses: [Target.Dependency] = []) -> Target {
    let (name, path) = (subject + "Tests", "Tests/\(subject)Tests")
    return .testTarget(name: name, dependencies: uses, path: path, swiftSettings: settings)
}

func helper(_ name: String, _ uses: [Target.Dependency]) -> Target {
    target(name, uses, path: "Tests/Support/\(name)")
}

func program(_ name: String, _ dependencies: [Target.Dependency], path: String) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

func product(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package)
}

let crypto = product("Crypto", "swift-crypto")
let cryptoExtras = product("CryptoExtras", "swift-crypto")
let nioCore = product("NIOCore", "swift-nio")
let hpack = product("NIOHPACK", "swift-nio-http2")
let nioPosix = product("NIOPosix", "swift-nio")
let hummingbird = product("Hummingbird", "hummingbird")
let asyncHTTP = product("AsyncHTTPClient", "async-http-client")
let nioHTTP1 = product("NIOHTTP1", "swift-nio")
let nioSSL = product("NIOSSL", "swift-nio-ssl")
let logging = product("Logging", "swift-log")
let metrics = product("Metrics", "swift-metrics")
let systemPackage = product("SystemPackage", "swift-system")
let x509 = product("X509", "swift-certificates")
let asn1 = product("SwiftASN1", "swift-asn1")
let grdb = product("GRDB", "GRDB.swift")
let arguments = product("ArgumentParser", "swift-argument-parser")
let lifecycle = product("ServiceLifecycle", "swift-service-lifecycle")
let signals = product("UnixSignals", "swift-service-lifecycle")
let hummingbirdCore = product("HummingbirdCore", "hummingbird")

let system: [Target] = [
    .systemLibrary(name: "CZlib", path: "Sources/CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "COpenSSL", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
    .target(name: "CLinux"),
    .target(name: "CPostgres"),
    // The console's files, which the compiler takes in as they are.
    .target(name: "CConsoleAssets", exclude: ["console.css", "console.js", "icons.svg"]),
]

let pure: [Target] = [
    target("HubWire"),
    target("HubTags"),
    target("HubParcel", ["CZlib"]),
    target("TLSRecords"),
    target("HubVocabulary", ["HubWire", "HubTags", crypto]),
    target("HubTemplates", ["HubVocabulary"]),
    target(
        "HubModel",
        ["HubVocabulary", "HubTemplates", "HubWire", "HubTags", "HubParcel", crypto]
    ),
    target("HubRules", ["HubVocabulary", "HubTemplates", "HubModel", "HubTags", crypto]),
    target("HubTables", ["HubVocabulary", "HubModel"]),
    target("HubCluster", ["HubVocabulary", "HubModel"]),
    target(
        "HubDelivery",
        [
            "HubVocabulary", "HubTemplates", "HubModel", "HubRules", "HubTables", "HubWire",
            "HubTags", "HubParcel",
        ]
    ),
    target(
        "HubDirectory",
        [
            "HubVocabulary", "HubTemplates", "HubModel", "HubRules", "HubTables", "HubWire",
            "HubTags",
        ]
    ),
    target(
        "HubQuestions",
        ["HubVocabulary", "HubTemplates", "HubModel", "HubRules", "HubDirectory", "HubTags"]
    ),
    target("HubDoctor", ["HubVocabulary"]),
    target("HubHistory", ["HubVocabulary", "HubModel", "HubTags"]),
    target(
        "HubRelay",
        ["HubVocabulary", "HubTemplates", "HubModel", "HubTags", "COpenSSL", crypto, cryptoExtras]
    ),
    target("HubStreams", ["HubRelay", nioCore, hpack]),
]

let edges: [Target] = [
    target(
        "HubHTTP",
        ["HubTransport", hummingbirdCore, nioCore, product("NIOTLS", "swift-nio"), nioSSL, logging]
    ),
    target(
        "HubStore",
        ["HubVocabulary", "HubModel", "HubCluster", grdb, product("GRDBSQLite", "GRDB.swift")]
    ),
    target("HubPostgres", ["CPostgres", "HubVocabulary", "HubModel", "HubCluster"]),
    target("HubTransport", ["HubVocabulary", "TLSRecords", "COpenSSL", "CLinux", systemPackage]),
    target("HubEndpoint", ["HubVocabulary"]),
    target(
        "HubRelayLink",
        [
            "HubRelay", "HubStreams", "HubVocabulary", "HubTemplates", "HubModel", nioCore,
            nioPosix, asyncHTTP, nioHTTP1, product("NIOTLS", "swift-nio"), nioSSL, asn1, x509,
        ]
    ),
    target(
        "HubData",
        [
            "HubVocabulary", "HubModel", "HubRules", "HubRelay", "HubRelayLink", "HubStore",
            "HubTransport", "HubEndpoint", crypto, asn1, systemPackage, x509,
        ]
    ),
    target(
        "HubDatabase",
        [
            "HubVocabulary", "HubModel", "HubCluster", "HubRelay", "HubStore", "HubPostgres",
            "HubData", crypto, logging, metrics,
        ]
    ),
    target("HubAtom", ["HubVocabulary", "HubTemplates", "HubModel", "HubRules", "HubTags"]),
    target("HubSchemas", ["HubVocabulary", "HubHistory"]),
    target(
        "HubREST",
        [
            "HubAtom", "HubSchemas", "HubVocabulary", "HubTemplates", "HubModel", "HubRules",
            "HubHistory", "HubDirectory", "HubQuestions", "HubTags", hummingbird,
        ]
    ),
    target(
        "HubJobs",
        [
            "HubVocabulary", "HubModel", "HubRules", "HubDirectory", "HubQuestions", "HubTransport",
            "HubData", "HubAtom", asyncHTTP, nioCore, nioHTTP1, logging, systemPackage,
        ]
    ),
    target(
        "HubConsole",
        [
            "CConsoleAssets", "HubVocabulary", "HubTemplates", "HubModel", "HubRules", "HubHistory",
            "HubDirectory", "HubQuestions", "HubTags", "HubEndpoint", "HubAtom", "HubREST",
            "HubDoctor", crypto, hummingbird,
        ]
    ),
    target(
        "HubClient",
        [
            "HubVocabulary", "HubWire", "HubParcel", "HubTransport", "HubEndpoint", crypto,
            systemPackage,
        ]
    ),
    target(
        "HubSender",
        [
            "HubVocabulary", "HubWire", "HubEndpoint", nioCore, nioPosix, asyncHTTP, nioHTTP1,
            nioSSL, systemPackage,
        ]
    ),
    target("HubTraces", ["HubVocabulary", "HubModel", nioCore, asyncHTTP, nioHTTP1]),
    target("HubClientGRDB", ["HubClient", "HubVocabulary", grdb]),
]

let wiring: [Target] = [
    target(
        "HubFront",
        [
            "HubVocabulary", "HubModel", "HubRules", "HubCluster", "HubTransport", "HubHTTP",
            "HubData", "HubDatabase", "HubREST", crypto, asyncHTTP, hummingbird, nioCore, nioHTTP1,
            nioPosix, nioSSL, asn1, x509, metrics, lifecycle,
        ]
    ),
    target(
        "HubMetrics",
        [
            "HubWire", "HubVocabulary", "HubModel", "HubDelivery", "HubHistory", "HubTransport",
            "HubHTTP", "HubREST", "HubTraces", logging, metrics,
        ]
    ),
    target(
        "HubServer",
        [
            "HubWire", "HubVocabulary", "HubTemplates", "HubModel", "HubRules", "HubTables",
            "HubDelivery", "HubHistory", "HubDirectory", "HubQuestions", "HubRelay", "HubRelayLink",
            "HubStore", "HubTransport", "HubEndpoint", "HubHTTP", "HubREST", "HubConsole",
            "HubData", "HubTraces", "HubCluster", "HubDatabase", "HubJobs", "HubFront",
            "HubMetrics", crypto, nioCore, hummingbird, product("HummingbirdHTTP2", "hummingbird"),
            hummingbirdCore, systemPackage, logging, metrics,
            product("Configuration", "swift-configuration"), lifecycle, signals,
        ]
    ),
    target("HubMemory", ["HubVocabulary", "HubModel", "HubCluster"]),
    target(
        "HubSimulator",
        [
            "HubWire", "HubTags", "HubParcel", "HubVocabulary", "HubTemplates", "HubModel",
            "HubRules", "HubTables", "HubCluster", "HubDelivery", "HubDirectory", "HubStore",
            "HubMemory", "HubTransport", "HubClient",
        ]
    ),
    target("ConsoleRelay", ["HubSender", nioCore, asyncHTTP, hummingbird, logging, nioHTTP1]),
    target(
        "AppBackend",
        [
            "HubClient", "HubSender", "HubVocabulary", "HubHTTP", crypto, cryptoExtras, grdb,
            hummingbird, hummingbirdCore, nioCore, nioSSL, logging, lifecycle, systemPackage,
            signals,
        ]
    ),
    target(
        "DeviceEmulator",
        [
            "HubClient", "HubSender", "HubVocabulary", "HubTransport", nioCore, asyncHTTP, nioHTTP1,
            nioSSL,
        ]
    ),
    target("PhoneScreen", ["DeviceEmulator", "HubClient", "HubVocabulary"]),
    target("LocalPostgres"),
    target(
        "ClusterDemo",
        [
            "HubVocabulary", "HubClient", "HubSender", "HubTransport", "DeviceEmulator",
            "LocalPostgres",
        ]
    ),
    target(
        "HubBench",
        [
            "HubClient", "HubSender", "HubVocabulary", "HubClientGRDB", "DeviceEmulator", nioCore,
            grdb, product("Histogram", "hdrhistogram-swift"), asyncHTTP, nioHTTP1, nioSSL,
        ]
    ),
    target("HubConformance", ["HubWire", "HubParcel", "COpenSSL", crypto, asn1, x509]),
    target(
        "RelayFakes",
        [
            "HubVocabulary", "HubTemplates", "HubRelay", "HubConformance", crypto, cryptoExtras,
            nioCore, nioPosix, nioHTTP1, product("NIOTLS", "swift-nio"), hpack,
            product("NIOHTTP2", "swift-nio-http2"), nioSSL, asn1, x509,
        ]
    ),
    target(
        "HubExamination",
        [
            "HubVocabulary", "HubDoctor", "HubStore", "HubTransport", "HubEndpoint", "HubData",
            "HubDatabase", "HubServer", "HubSender", "HubConformance", nioCore, asn1, systemPackage,
            x509,
        ]
    ),
    target("CommandTerminal", ["PhoneScreen", "HubSender", "HubVocabulary", arguments]),
    target(
        "BenchCommands",
        [
            "CommandTerminal", "HubBench", "HubServer", "HubSimulator", "DeviceEmulator",
            "HubClient", "HubSender", arguments,
        ]
    ),
    .executableTarget(
        name: "belfry",
        dependencies: [
            "RelayFakes", "HubDoctor", "HubExamination", "HubServer", "HubData", "HubDatabase",
            "AppBackend", "DeviceEmulator", "ClusterDemo", "HubClient", "HubSender", "HubMetrics",
            "ConsoleRelay", "HubWire", "HubVocabulary", "HubRules", "HubRelay", "HubConformance",
            "PhoneScreen", "CommandTerminal", "BenchCommands", arguments, logging,
        ],
        swiftSettings: settings
    ),
]

let support: [Target] = [
    helper("HubTestSupport", ["HubVocabulary", "HubWire", "TLSRecords", "LocalPostgres"]),
    helper(
        "HubHarness",
        [
            "HubVocabulary", "HubTemplates", "HubModel", "HubRules", "HubDelivery", "HubDirectory",
            "HubQuestions", "HubMemory", "HubWire", "HubTags", "HubParcel", "HubTestSupport",
            crypto,
        ]
    ),
    // Hubs, nodes, devices and programs that the tests of sockets and programs begin.
    helper(
        "ScenarioSupport",
        [
            "HubServer", "AppBackend", "HubClient", "HubSender", "DeviceEmulator", "HubVocabulary",
            "HubWire", "HubRelay", "HubRelayLink", "RelayFakes", "HubTransport", "HubMetrics",
            "HubTestSupport", crypto, nioCore, nioPosix, asyncHTTP, logging, nioHTTP1, nioSSL,
        ]
    ),
    helper("LaneSimulator", ["HubRelay", "HubModel", "HubVocabulary"]),
    // Sees of the SDK what another package sees: nothing but what is public.
    .target(
        name: "HubClientExamples",
        dependencies: ["HubClient", "HubSender", "HubClientGRDB", grdb],
        path: "Tests/HubClientExamples",
        packageAccess: false,
        swiftSettings: settings
    ),
    .target(name: "CAllocationCounter", path: "Tests/Support/CAllocationCounter"),
    .target(name: "CSyncFault", path: "Tests/Support/CSyncFault"),
    .target(name: "CFaultyDisk", dependencies: ["CSyncFault"], path: "Tests/Support/CFaultyDisk"),
    target(
        "HubFuzzTargets",
        [
            "HubWire", "HubTags", "HubParcel", "TLSRecords", "HubVocabulary", "HubTemplates",
            "HubModel", "HubRules", "HubCluster", "HubRelay", "HubStreams", "HubTransport", nioCore,
        ],
        path: "Fuzz/HubFuzzTargets"
    ),
]

/// What `make bench-store` runs, and what `Tests/Mutants/run` builds for each mistake.
let tools: [Target] = [
    program(
        "StoreBench",
        [
            "HubStore", "HubVocabulary", "HubTemplates", "HubModel", "HubRules", "HubDirectory",
            "HubQuestions", "HubTags",
        ],
        path: "Tests/Benchmarks/Store"
    ),
    program("MutantProbe", ["HubSimulator", "LaneSimulator"], path: "Tests/Mutants/Probe"),
]

/// What `make bench-micro` runs; nobody else resolves the framework it needs.
let micro = [
    program(
        "MicroBench",
        [
            "HubWire", "HubTags", "HubParcel", "TLSRecords", "HubTemplates", "HubTransport",
            product("Benchmark", "benchmark"),
        ],
        path: "Tests/Benchmarks/Micro"
    )
]

let suites: [Target] = [
    // The last four hold to limits of the link that HubWire cannot see.
    tests(
        "HubWire",
        [
            "HubWire", "HubTestSupport", "HubFuzzTargets", "HubVocabulary", "HubTags",
            "HubTransport", "HubClient",
        ]
    ),
    tests("HubVocabulary", ["HubVocabulary", "HubTestSupport", crypto]),
    tests("HubTemplates", ["HubTemplates", "HubVocabulary", "HubTestSupport"]),
    tests("HubTags", ["HubTags", "HubWire", "HubTestSupport", "CAllocationCounter"]),
    tests("HubParcel", ["HubParcel", "HubWire", "HubTestSupport"]),
    tests(
        "HubModel",
        [
            "HubModel", "HubHarness", "HubVocabulary", "HubTemplates", "HubWire", "HubTags",
            "HubTestSupport",
        ]
    ),
    tests(
        "HubRules",
        [
            "HubRules", "HubHarness", "HubVocabulary", "HubTemplates", "HubModel", "HubTags",
            "HubTestSupport",
        ]
    ),
    tests("HubTables", ["HubTables", "HubVocabulary", "HubModel", "HubTestSupport"]),
    tests(
        "HubCluster",
        ["HubCluster", "HubVocabulary", "HubModel", "HubHarness", "HubTestSupport"]
    ),
    tests(
        "HubDirectory",
        [
            "HubVocabulary", "HubTemplates", "HubModel", "HubRules", "HubTables", "HubDirectory",
            "HubQuestions", "HubMemory", "HubWire", "HubTags", "HubHarness", "HubTestSupport",
        ]
    ),
    tests(
        "HubDelivery",
        [
            "HubVocabulary", "HubTemplates", "HubModel", "HubRules", "HubDirectory", "HubQuestions",
            "HubMemory", "HubWire", "HubTags", "HubHarness", "HubTestSupport", "HubDelivery",
            "HubParcel", crypto,
        ]
    ),
    tests(
        "HubQuestions",
        [
            "HubVocabulary", "HubTemplates", "HubModel", "HubRules", "HubDirectory", "HubQuestions",
            "HubMemory", "HubWire", "HubTags", "HubHarness", "HubTestSupport",
        ]
    ),
    tests(
        "HubRelay",
        [
            "HubRelay", "HubVocabulary", "HubTemplates", "HubModel", "HubRules", "HubDirectory",
            "HubQuestions", "HubMemory", "HubTags", "HubHarness", "LaneSimulator", crypto,
            cryptoExtras,
        ]
    ),
    tests(
        "HubStore",
        [
            "HubStore", "HubMemory", "HubVocabulary", "HubTemplates", "HubModel", "HubCluster",
            "HubTestSupport", "CSyncFault", "CFaultyDisk", "HubClient", "HubClientGRDB", "HubWire",
            "HubPostgres", grdb,
        ]
    ),
    tests("TLSRecords", ["TLSRecords", "HubTransport", "HubTestSupport"]),
    tests(
        "HubTransport",
        ["HubTransport", "HubVocabulary", "TLSRecords", "HubTestSupport", "COpenSSL"]
    ),
    tests(
        "HubREST",
        [
            "HubHistory", "HubREST", "HubMemory", "HubVocabulary", "HubTemplates", "HubModel",
            "HubRules", "HubDirectory", "HubQuestions", "HubHarness", "HubTestSupport",
            product("HummingbirdTesting", "hummingbird"),
        ]
    ),
    tests(
        "HubConsole",
        [
            "HubConsole", "HubAtom", "HubREST", "HubMemory", "HubVocabulary", "HubTemplates",
            "HubModel", "HubHistory", "HubRules", "HubDirectory", "HubQuestions", "HubTags",
            "HubHarness", crypto, product("HummingbirdTesting", "hummingbird"),
        ]
    ),
    tests(
        "HubPostgres",
        ["HubPostgres", "HubCluster", "HubModel", "HubVocabulary", "HubHarness", "HubTestSupport"]
    ),
    tests(
        "HubDatabase",
        [
            "HubDatabase", "HubPostgres", "HubData", "HubStore", "HubMemory", "HubCluster",
            "HubModel", "HubVocabulary", "HubTestSupport", logging,
        ]
    ),
    tests("HubHTTP", ["HubHTTP", "HubTransport", product("NIOEmbedded", "swift-nio")]),
    tests("HubEndpoint", ["HubEndpoint"]),
    tests("HubTraces", ["HubTraces", "HubModel", "HubVocabulary", hummingbird]),
    tests("HubStreams", ["HubStreams", "HubRelay", "HubVocabulary", nioCore]),
    tests(
        "HubRelayLink",
        [
            "HubRelayLink", "HubStreams", "HubRelay", "RelayFakes", "HubConformance", "HubModel",
            "HubTemplates", "HubVocabulary", "HubTestSupport", crypto, cryptoExtras, nioCore,
            nioPosix, hpack, nioSSL,
        ]
    ),
    tests("HubSender", ["HubSender", "HubClient", "HubWire"]),
    tests("HubClient", ["HubClient", "HubVocabulary", "HubWire", "HubParcel", "HubTestSupport"]),
    tests("HubClientGRDB", ["HubClientGRDB", "HubClient", "HubWire", grdb]),
    tests(
        "HubData",
        [
            "HubData", "HubVocabulary", "HubModel", "HubRules", "HubEndpoint", "HubStore",
            "HubTags", "HubTestSupport",
        ]
    ),
    tests(
        "HubServer",
        [
            "HubHistory", "HubServer", "HubData", "HubRelayLink", "HubVocabulary", "HubModel",
            "HubRules", "HubTables", "HubDelivery", "HubDirectory", "HubEndpoint", "HubMemory",
            "HubTags", "HubTraces", "HubTransport", "HubWire", "HubTestSupport", "HubMetrics",
            product("NIOEmbedded", "swift-nio"),
        ]
    ),
    tests(
        "HubMetrics",
        [
            "HubMetrics", "HubModel", "HubDelivery", "HubREST", "HubTransport", "HubVocabulary",
            "HubWire", metrics,
        ]
    ),
    tests("HubJobs", ["HubJobs", "HubTestSupport"]),
    tests(
        "HubFront",
        [
            "HubFront", "HubHTTP", "HubREST", "HubCluster", "HubVocabulary", "HubTransport",
            "HubTestSupport", hummingbird, asyncHTTP, nioCore, nioHTTP1, nioPosix, nioSSL, logging,
            product("NIOEmbedded", "swift-nio"),
        ]
    ),
    tests("HubDoctor", ["HubDoctor", "HubVocabulary"]),
    tests("HubHistory", ["HubHistory", "HubModel", "HubVocabulary", "HubTags"]),
    tests(
        "HubExamination",
        ["HubExamination", "HubDoctor", "HubData", "HubVocabulary", "HubTestSupport"]
    ),
    tests("HubSimulator", ["HubSimulator"]),
    tests(
        "Scenario",
        [
            "belfry", "ScenarioSupport", "HubServer", "AppBackend", "HubClient", "HubSender",
            "DeviceEmulator", "HubBench", "HubVocabulary", "HubModel", "HubWire", "HubParcel",
            "HubDelivery", "HubData", "HubRelay", "HubRelayLink", "HubStore", "RelayFakes",
            "TLSRecords", "HubTransport", "HubREST", "HubTraces", "HubPostgres", "HubDatabase",
            "HubMetrics", "HubTestSupport", "CFaultyDisk", crypto, nioCore, nioPosix, asyncHTTP,
            logging, grdb, nioHTTP1, nioSSL,
        ]
    ),
    tests(
        "Program",
        [
            "belfry", "ScenarioSupport", "HubServer", "AppBackend", "HubClient", "HubSender",
            "DeviceEmulator", "HubBench", "HubConformance", "HubVocabulary", "HubWire",
            "HubTestSupport", "HubClientExamples", nioCore, arguments, asyncHTTP, logging, grdb,
            nioHTTP1,
        ]
    ),
    tests("AppBackend", ["AppBackend", "HubClient", "HubSender", grdb]),
    tests("DeviceEmulator", ["DeviceEmulator", "HubClient", "HubWire"]),
    tests("PhoneScreen", ["PhoneScreen", "DeviceEmulator", "HubClient"]),
    tests(
        "HubBench",
        ["HubBench", "HubClient", "HubSender", "HubVocabulary", "HubWire", "HubTestSupport"]
    ),
    tests("Fuzz", ["HubFuzzTargets", "HubTestSupport"]),
    tests("Tidy", ["HubTestSupport"]),
]

/// What `Fuzz/run` builds; libFuzzer supplies its `main`.
let fuzzers: [Target] = [
    .executableTarget(
        name: "HubFuzz",
        dependencies: ["HubFuzzTargets"],
        path: "Fuzz/HubFuzz",
        swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]
    )
]

let isFuzzing = Context.environment["HUB_FUZZ"] != nil
let isMeasuring = Context.environment["HUB_MICRO"] != nil
let extra = isFuzzing ? fuzzers : isMeasuring ? micro : suites + tools
let framework: [Package.Dependency] = [
    .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: [])
]

// What computes most is optimized where `make test` builds from nothing; `all` means everything.
let busy = ["HubStore", "HubTransport", "HubClient", "HubMemory", "HubSimulator", "LaneSimulator"]
let optimized: [Target] =
    switch Context.environment["HUB_OPTIMIZED"] {
    case "1": pure + (edges + wiring + support).filter { busy.contains($0.name) }
    case "all": pure + edges + wiring + support
    default: []
    }
for target in optimized { target.swiftSettings?.append(.unsafeFlags(["-O"])) }

let package = Package(
    name: "belfry",
    products: [
        .library(name: "HubClient", targets: ["HubClient"]),
        .library(name: "HubSender", targets: ["HubSender"]),
        .library(name: "HubClientGRDB", targets: ["HubClientGRDB"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ] + (isMeasuring ? framework : []),
    targets: system + pure + edges + wiring + support + extra
)
