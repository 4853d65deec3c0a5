/// Which requests meet which fault.
package struct FaultScript: Sendable {
    /// Which requests a rule is about.
    enum Selector: Hashable, Sendable {
        /// Each n-th.
        case every(Int)
        /// Only the n-th.
        case nth(Int)
        /// Those for a handle.
        case handle(String)
    }

    private var rules: [(selector: Selector, fault: FakeFault)] = []
    private var requests = 0

    /// A script without rules.
    package init() {}

    /// Adds a rule `SELECTOR=FAULT`; false when it is none.
    ///
    /// A selector is a number for each n-th request, `@` and a number for the n-th alone, or a handle.
    package mutating func add(_ rule: String) -> Bool {
        guard let sign = rule.lastIndex(of: "="), sign != rule.startIndex,
            let fault = FakeFault(String(rule[rule.index(after: sign)...]))
        else { return false }
        let left = String(rule[..<sign])
        let selector: Selector
        if left.utf8.count < 10, let number = Int(left) {
            guard number > 0 else { return false }
            selector = .every(number)
        } else if left.hasPrefix("@"), let number = Int(left.dropFirst()), number > 0 {
            selector = .nth(number)
        } else {
            selector = .handle(left)
        }
        rules.append((selector, fault))
        return true
    }

    /// The fault of the next request, which is for this handle.
    mutating func next(handle: String) -> FakeFault? {
        requests += 1
        return rules.first { rule in
            switch rule.selector {
            case .every(let number): requests.isMultiple(of: number)
            case .nth(let number): requests == number
            case .handle(let text): text == handle
            }
        }?.fault
    }
}
