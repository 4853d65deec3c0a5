import HubFuzzTargets

/// Called by libFuzzer, which supplies `main`.
@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer owns the bytes and keeps them until this function returns.
    let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
    unsafe fuzzSendLines(Span(_unsafeElements: bytes))
    return 0
}
