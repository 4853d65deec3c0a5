import HubVocabulary

/// The parts that pages are made of.
extension HTMLOutput {
    /// A link to a page of the console.
    mutating func link(_ address: String, _ text: String) {
        element("a", ["href": address], text: text)
    }

    /// A link with text of strangers.
    mutating func strangerLink(_ address: String, _ text: String) {
        element("a", ["href": address]) { $0.stranger(text) }
    }

    /// A time in UTC, which the script can show in the reader's own.
    mutating func time(_ time: Timestamp) {
        let text = TimeText.iso8601(time)
        let shown = "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
        element("time", ["datetime": text], text: shown)
    }

    /// A section with a heading, found by it.
    mutating func section(_ title: String, _ content: (inout HTMLOutput) -> Void) {
        element("section") { section in
            section.element("h2", text: title)
            content(&section)
        }
    }

    /// A table in a region of its own, which scrolls by itself where it is too wide.
    ///
    /// The last `numbers` columns hold numbers, and stand at their right ends. The script adds rows
    /// to a tail.
    mutating func table(
        _ name: String,
        _ columns: [String],
        numbers: Int = 0,
        isTail: Bool = false,
        _ rows: (inout HTMLOutput) -> Void
    ) {
        element("div", ["class": "wide", "role": "region", "aria-label": name, "tabindex": "0"]) {
            $0.element("table") { table in
                table.element("caption", ["class": "unseen"], text: name)
                table.markup("<thead><tr>")
                for (index, column) in columns.enumerated() {
                    let isNumber = index >= columns.count - numbers
                    let place = isNumber ? "number" : ""
                    table.element("th", ["scope": "col", "class": place], text: column)
                }
                table.markup("</tr></thead>")
                table.element("tbody", ["data-tail": isTail ? "rows" : ""], rows)
            }
        }
    }

    /// A row of a table; its cells are written by `cell`.
    mutating func row(_ cells: (inout HTMLOutput) -> Void) {
        element("tr") { cells(&$0) }
    }

    /// A cell with text of our own.
    mutating func cell(_ text: String) { element("td", text: text) }

    /// A cell with a number, set at its right end.
    mutating func cell(number: some BinaryInteger) {
        element("td", ["class": "number"], text: Spelled.count(number))
    }

    /// A cell of any content.
    mutating func cell(_ content: (inout HTMLOutput) -> Void) {
        element("td") { content(&$0) }
    }

    /// A list of names with values.
    mutating func facts(_ content: (inout HTMLOutput) -> Void) {
        element("dl") { content(&$0) }
    }

    /// A name with a value in such a list.
    mutating func fact(_ name: String, _ content: (inout HTMLOutput) -> Void) {
        element("div") {
            $0.element("dt", text: name)
            $0.element("dd") { content(&$0) }
        }
    }

    /// A name with text of our own.
    mutating func fact(_ name: String, _ value: String) { fact(name) { $0.text(value) } }

    /// The words of an empty list: why it is empty, and what would fill it.
    mutating func empty(_ text: String) { element("p", ["class": "empty"], text: text) }

    /// A state in a word and a mark of its own, never in colour alone.
    mutating func state(_ state: ShownState, _ word: String) {
        element("span", ["class": "state \(state.rawValue)"]) {
            $0.element("span", ["aria-hidden": "true"], text: state.mark)
            $0.text(" \(ShownText.spelled(word))")
        }
    }

    /// The link to the next page of a list; nothing on the last one.
    mutating func next(_ address: String?, rest: String = "Next page") {
        guard let address else { return }
        element("p", ["class": "pages"]) {
            $0.element("a", ["href": address, "rel": "next"], text: rest)
        }
    }
}
