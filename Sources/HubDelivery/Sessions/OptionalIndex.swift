/// An index below 2^31, or none, in four bytes.
struct OptionalIndex: Equatable {
    private var raw: Int32 = -1

    /// None.
    init() {}

    /// An index, or none.
    init(_ value: Int?) { self.value = value }

    var value: Int? {
        get { raw < 0 ? nil : Int(raw) }
        set { raw = newValue.map { Int32($0) } ?? -1 }
    }
}
