/// A pure target decides; it does not look at the world, wait, or roll dice of its own.
enum PurityRule {
    /// Words that stand for clocks, waiting, threads, files, the process or its environment.
    private static let words: Set<String> = [
        "async", "await", "Task", "TaskGroup", "AsyncStream", "AsyncSequence", "actor", "MainActor",
        "Thread", "DispatchQueue", "pthread_create", "ContinuousClock", "SuspendingClock", "Date",
        "clock_gettime", "gettimeofday", "SystemRandomNumberGenerator", "arc4random",
        "getrandom", "UUID", "FileManager", "FileHandle", "ProcessInfo", "CommandLine", "getenv",
        "fopen", "epoll_wait", "print", "debugPrint", "readLine",
    ]
    /// Words that are meant only as a call.
    private static let calls: Set<String> = ["print", "Date", "UUID"]
    /// Calls that take a source of randomness, which must be the caller's.
    private static let random: Set<String> = ["random", "shuffled", "shuffle", "randomElement"]

    /// Modules that hand out memory only through pointers; a file that imports one cannot do without
    /// `unsafe`, the others can.
    private static let lenders: Set<String> = ["CZlib", "COpenSSL", "Crypto"]

    static func check(_ file: SourceFile) -> [Finding] {
        let borrows = ImportRule.imports(file).contains { lenders.contains($0.module) }
        let code = file.code
        var findings: [Finding] = []
        for index in code.indices where code[index].kind == .word {
            let token = code[index]
            let isCall = index + 1 < code.count && code[index + 1].text == "("
            let isDeclared =
                index > 0 && ["func", "case", "let", "var"].contains(code[index - 1].text)
            let isMember = index > 0 && code[index - 1].text == "."
            if words.contains(token.text), !isDeclared, !isMember,
                isCall || !calls.contains(token.text)
            {
                findings.append(file.finding(token.line, "'\(token.text)' in a pure target"))
            }
            if random.contains(token.text), isCall, isMember, !isDeclared {
                let end = file.end(ofBracketAt: index + 1)
                let isSeeded = code[index...end].contains { $0.kind == .word && $0.text == "using" }
                if !isSeeded {
                    findings.append(
                        file.finding(
                            token.line,
                            "'\(token.text)' without 'using:' in a pure target"
                        )
                    )
                }
            }
            if token.text == "unsafe", !borrows {
                findings.append(file.finding(token.line, "'unsafe' in a pure target"))
            }
        }
        return findings
    }
}
