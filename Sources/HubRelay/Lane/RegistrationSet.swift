/// Registrations by their numbers, as a bitmap or, when they are few, as a list.
///
/// A broadcast to a million takes 125 KB, a send to one device four bytes.
package struct RegistrationSet: Hashable, Sendable {
    private enum Form: Hashable {
        /// Ascending.
        case list([UInt32])
        /// The first number of the first word is a multiple of 64.
        case bits(base: UInt32, words: [UInt64])
    }

    private var form: Form
    /// How many numbers there are.
    package private(set) var count: Int

    /// Takes numbers in ascending order, each once; as a list up to `listMax`.
    package init(ascending numbers: [UInt32], listMax: Int) {
        count = numbers.count
        guard numbers.count > listMax, let first = numbers.first, let last = numbers.last else {
            form = .list(numbers)
            return
        }
        let base = first & ~63
        var words = [UInt64](repeating: 0, count: Int((last - base) / 64) + 1)
        for number in numbers { words[Int((number - base) / 64)] |= 1 << UInt64(number & 63) }
        form = .bits(base: base, words: words)
    }

    /// Whether nothing is left.
    package var isEmpty: Bool { count == 0 }

    /// Whether it is a list.
    var isList: Bool {
        if case .list = form { true } else { false }
    }

    /// Bytes that the numbers take.
    package var weight: Int {
        switch form {
        case .list(let numbers): numbers.capacity * 4
        case .bits(_, let words): words.capacity * 8
        }
    }

    /// All numbers, ascending.
    package var numbers: [UInt32] {
        var found: [UInt32] = []
        found.reserveCapacity(count)
        var place = next(from: 0)
        while let number = place {
            found.append(number)
            place = number == .max ? nil : next(from: number + 1)
        }
        return found
    }

    /// Whether a number is there.
    package func contains(_ number: UInt32) -> Bool {
        switch form {
        case .list(let numbers):
            let place = Self.place(of: number, in: numbers)
            return place < numbers.count && numbers[place] == number
        case .bits(let base, let words):
            guard number >= base, Int((number - base) / 64) < words.count else { return false }
            return words[Int((number - base) / 64)] & 1 << UInt64(number & 63) != 0
        }
    }

    /// The smallest number that is not below `start`.
    package func next(from start: UInt32) -> UInt32? {
        switch form {
        case .list(let numbers):
            let place = Self.place(of: start, in: numbers)
            return place < numbers.count ? numbers[place] : nil
        case .bits(let base, let words):
            let first = max(start, base)
            var index = Int((first - base) / 64)
            guard index < words.count else { return nil }
            var word = words[index] & ~0 << UInt64(first & 63)
            while word == 0 {
                index += 1
                guard index < words.count else { return nil }
                word = words[index]
            }
            return base + UInt32(index * 64 + word.trailingZeroBitCount)
        }
    }

    /// Takes a number out; false when it was not there.
    @discardableResult
    package mutating func remove(_ number: UInt32) -> Bool {
        guard contains(number) else { return false }
        count -= 1
        switch form {
        case .list(var numbers):
            // The only reference is the local one, so that nothing is copied.
            form = .list([])
            numbers.remove(at: Self.place(of: number, in: numbers))
            form = .list(numbers)
        case .bits(let base, var words):
            form = .list([])
            words[Int((number - base) / 64)] &= ~(1 << UInt64(number & 63))
            form = .bits(base: base, words: words)
        }
        return true
    }

    /// Takes out all that another set has; returns how many.
    mutating func subtract(_ other: RegistrationSet) -> Int {
        let before = count
        switch (form, other.form) {
        case (.bits(let base, var words), .bits(let otherBase, let otherWords)):
            form = .list([])
            for index in words.indices {
                let place = index + (Int(base) - Int(otherBase)) / 64
                if otherWords.indices.contains(place) { words[index] &= ~otherWords[place] }
            }
            count = words.reduce(0) { $0 + $1.nonzeroBitCount }
            form = .bits(base: base, words: words)
        case (.list(let numbers), _):
            let rest = numbers.filter { !other.contains($0) }
            count = rest.count
            form = .list(rest)
        case (.bits, .list(let numbers)):
            for number in numbers { remove(number) }
        }
        return before - count
    }

    private static func place(of number: UInt32, in numbers: [UInt32]) -> Int {
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
