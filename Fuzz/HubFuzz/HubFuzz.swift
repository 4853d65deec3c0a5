import Glibc
import HubFuzzTargets

/// The target that `FUZZ_TARGET` names; a process fuzzes one.
private let target = chosenTarget()

private func chosenTarget() -> FuzzTarget {
    // The string is copied at once, before anything could change the environment.
    let name = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
    guard let target = FuzzTarget.named(name) else {
        let names = (FuzzTarget.all + [.canary]).map(\.name).joined(separator: ", ")
        let sentence = Array("FUZZ_TARGET is '\(name)'; name one of \(names).\n".utf8)
        // The array outlives the call, which writes no more than it has.
        _ = unsafe sentence.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
        exit(64)
    }
    return target
}

/// Called by libFuzzer before the first input, so that a wrong name fails then.
@c(LLVMFuzzerInitialize)
public func initializeFuzzer(
    _ count: UnsafeMutablePointer<CInt>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    _ = target
    return 0
}

/// Called by libFuzzer, which supplies `main`.
@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer owns the bytes and keeps them until this function returns.
    let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
    unsafe target.run(Span(_unsafeElements: bytes))
    return 0
}
