package import HubModel
import HubVocabulary

/// Places in ascending order; adding behind all others and taking the first cost little.
package struct PlaceList {
    private var places: [SchedulePlace] = []
    /// Those before it are taken.
    private var start = 0

    /// No places yet.
    package init() {}

    /// The lowest.
    package var first: SchedulePlace? { start < places.count ? places[start] : nil }

    /// Adds a place that is not there.
    package mutating func insert(_ place: SchedulePlace) {
        let index = index(of: place)
        if index == start, start > 0 {
            start -= 1
            places[start] = place
        } else {
            places.insert(place, at: index)
        }
    }

    /// Takes the lowest away.
    package mutating func removeFirst() {
        start += 1
        guard start * 2 >= places.count else { return }
        places.removeFirst(start)
        start = 0
    }

    /// Takes a place away; nothing when it is not there.
    package mutating func remove(_ place: SchedulePlace) {
        let index = index(of: place)
        if index < places.count, places[index] == place { places.remove(at: index) }
    }

    /// The lowest ones behind a place.
    package func page(after place: SchedulePlace?, limit: Int) -> ArraySlice<SchedulePlace> {
        guard let place else { return places[start...].prefix(limit) }
        var index = index(of: place)
        if index < places.count, places[index] == place { index += 1 }
        return places[index...].prefix(limit)
    }

    /// The first index whose place is not below another.
    private func index(of place: SchedulePlace) -> Int {
        var low = start
        var high = places.count
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
