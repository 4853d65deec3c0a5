/// Something small that a hub does very often, prepared so that nothing but it is measured.
final class Operation {
    /// Its name on the command line and in results.
    let name: String
    private let prepare: () -> (Int) -> Void
    private var prepared: ((Int) -> Void)?

    /// - Parameters:
    ///   - name: words, the subject first.
    ///   - prepare: makes what the operation needs, and gives what does it so many times.
    init(_ name: String, prepare: @escaping () -> (Int) -> Void) {
        self.name = name
        self.prepare = prepare
    }

    /// Does it so many times; prepares it when that was not done yet.
    func run(_ count: Int) {
        let work = prepared ?? prepare()
        prepared = work
        work(count)
    }

    /// All of them, in the order of a notification's way.
    static func all() -> [Operation] {
        wireOperations() + tagOperations() + contentOperations() + sealOperations()
    }
}

/// The same numbers in each run: splitmix64.
struct Numbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits &>> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits &>> 31)
    }

    /// A rank below 2¹⁷; each rank about half as often as the one of half its size.
    mutating func rank() -> Int {
        let bits = Int.random(in: 0...17, using: &self)
        return Int.random(in: 0..<(1 << bits), using: &self)
    }
}

/// What preparing or doing cannot fail at, unless the code has changed.
func sound<Value, Failure: Error>(_ body: () throws(Failure) -> Value) -> Value {
    do throws(Failure) {
        return try body()
    } catch {
        fatalError("\(error)")
    }
}
