/// Numbers of the handles that a direct send names, where a lane has those of registrations.
///
/// They lie above every registration's. A handle has the same number in each send, so that its
/// notifications go out one at a time; of two handles of one send with one number, the later gets
/// the next that is free.
package enum DirectHandles {
    /// The numbers that are no registration's; a search from behind the last one begins at the first.
    private static let numbers: Range<UInt32> = 0x8000_0000..<UInt32.max

    /// Whether a number is that of a handle.
    package static func has(_ number: UInt32) -> Bool { number >= numbers.lowerBound }

    /// The handles of a send by their numbers, each once.
    package static func byNumber(_ handles: [[UInt8]]) -> [UInt32: [UInt8]] {
        var found: [UInt32: [UInt8]] = [:]
        found.reserveCapacity(handles.count)
        for handle in handles {
            var number = hash(handle)
            while let known = found[number], known != handle {
                number = number + 1 < numbers.upperBound ? number + 1 : numbers.lowerBound
            }
            found[number] = handle
        }
        return found
    }

    /// FNV-1a, whose value is the same in every process.
    private static func hash(_ handle: [UInt8]) -> UInt32 {
        var value: UInt32 = 2_166_136_261
        for byte in handle { value = (value ^ UInt32(byte)) &* 16_777_619 }
        let number = numbers.lowerBound | value
        return numbers.contains(number) ? number : numbers.lowerBound
    }
}
