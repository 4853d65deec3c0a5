import DeviceEmulator

// How the screen looks.
extension AppScreen {
    /// A row of a page: what it says, and the place of its item when it has one.
    private struct Row {
        var spans: [ScreenSpan]
        var item: Int?
        var cursor: Int?
    }

    /// The screen at a size; at any size, however small.
    package func frame(columns: Int, rows: Int) -> ScreenFrame {
        let width = max(1, columns)
        let height = max(1, rows)
        var top: [[ScreenSpan]] = []
        var bottom: [[ScreenSpan]] = []
        if height >= 4 { top.append([titleBar(width)]) }
        if height >= 6 { top += [tabs(), []] }
        if height >= 3 { bottom.append([noticeLine()]) }
        if height >= 8 { bottom.append([ScreenSpan(hint, .faint)]) }
        let space = height - top.count - bottom.count
        let (middle, cursor) = body(width, space)
        let padding = Array(repeating: [ScreenSpan](), count: max(0, space - middle.count))
        return ScreenFrame(
            lines: (top + middle + padding + bottom).map { Self.fitted($0, width) },
            cursor: cursor.map { (row: $0.row + top.count, column: min($0.column, width - 1)) }
        )
    }

    /// Where there is room for a picture under an opened entry: its first row from 0, and how many;
    /// nil when nothing is opened or there is too little.
    package func pictureRoom(columns: Int, rows: Int) -> (row: Int, rows: Int)? {
        guard opened != nil, rows >= 8 else { return nil }
        // Title, tabs and an empty line above; notice and hint below.
        let space = rows - 5
        let used = openEntry(max(1, columns), space).count + 1
        return space - used >= 3 ? (row: 3 + used, rows: space - used) : nil
    }

    /// Cuts a line where the screen ends.
    private static func fitted(_ spans: [ScreenSpan], _ width: Int) -> [ScreenSpan] {
        var left = width
        var result: [ScreenSpan] = []
        for span in spans where left > 0 {
            let text = SafeText.fitted(span.text, cells: left)
            left -= SafeText.cells(of: text)
            result.append(ScreenSpan(text, span.look))
            if text != span.text { break }
        }
        return result
    }

    // MARK: Around the page

    private func titleBar(_ width: Int) -> ScreenSpan {
        var parts = ["Belfry"]
        if facts.hasBackend { parts.append(login.isLoggedIn ? login.user ?? "nobody" : "nobody") }
        parts += [facts.platformName, linkText]
        let text = SafeText.fitted(
            " " + SafeText.line(parts.joined(separator: " | ")),
            cells: width
        )
        let rest = max(0, width - SafeText.cells(of: text))
        return ScreenSpan(text + String(repeating: " ", count: rest), .bar)
    }

    private var linkText: String {
        switch link {
        case .connected: "connected"
        case .away(nextTry: nil): "not connected"
        case .away(let seconds?): "next try in \(seconds) s, Ctrl-R now"
        }
    }

    private func tabs() -> [ScreenSpan] {
        var spans: [ScreenSpan] = []
        for (index, page) in pages.enumerated() {
            // A digit turns the page where it is not typed into a field.
            var title = isTyping ? page.title : "\(index + 1) \(page.title)"
            let unread = entries.count { !$0.isOpened }
            if page == .inbox, unread > 0 { title += " (\(unread))" }
            let isHere = page == self.page
            spans.append(
                ScreenSpan(isHere ? "[\(title)]" : " \(title) ", isHere ? .strong : .plain)
            )
        }
        return spans
    }

    private func noticeLine() -> ScreenSpan {
        guard let notice else { return ScreenSpan(underWay > 0 ? "…" : "") }
        return ScreenSpan(SafeText.line(notice.text), notice.isGood ? .good : .bad)
    }

    private var hint: String {
        if opened != nil { return "Up, Down scroll · Enter, Esc close" }
        switch focusedItem {
        case .message: return "Enter sends · Up, Down move · Tab page · Esc inbox · Ctrl-C quit"
        case .password: return "Enter logs in · Up, Down move · Tab page · Esc inbox · Ctrl-C quit"
        default: return "Tab page · Up, Down move · Enter, Space choose · Esc inbox · Ctrl-C quit"
        }
    }

    // MARK: Pages

    private func body(
        _ width: Int,
        _ height: Int
    ) -> ([[ScreenSpan]], (row: Int, column: Int)?) {
        if opened != nil { return (openEntry(width, height), nil) }
        if page == .inbox { return (inboxPage(height), nil) }
        let focused = focused
        var rows: [Row] = []
        for (place, item) in items(on: page).enumerated() {
            rows += row(item, place, isFocused: place == focused, width)
        }
        let at = rows.firstIndex { $0.item == focused } ?? 0
        // The focus is always in sight, with what stands above it where there is room.
        let first = max(0, min(at - height / 2, rows.count - height))
        let shown = rows.dropFirst(first).prefix(max(0, height))
        let cursor = shown.indices.contains(at) ? rows[at].cursor : nil
        return (shown.map(\.spans), cursor.map { (row: at - first, column: $0) })
    }

    /// The newest on top; only what is in sight is made.
    private func inboxPage(_ height: Int) -> [[ScreenSpan]] {
        guard !entries.isEmpty else {
            return [[ScreenSpan("  Nothing has arrived yet.", .faint)]]
        }
        let focused = focused
        let first = max(0, min(focused - height / 2, entries.count - height))
        let places = first..<min(entries.count, first + max(0, height))
        return places.map { place in
            let isFocused = place == focused
            let text = (isFocused ? "> " : "  ") + inboxLine(entries[entries.count - 1 - place])
            return [ScreenSpan(text, isFocused ? .strong : .plain)]
        }
    }

    private func row(_ item: Item, _ place: Int, isFocused: Bool, _ width: Int) -> [Row] {
        let mark = isFocused ? "> " : "  "
        let look: ScreenSpan.Look = isFocused ? .strong : .plain
        func plain(_ text: String, gapBefore: Bool = false) -> [Row] {
            (gapBefore ? [Row(spans: [])] : [])
                + [Row(spans: [ScreenSpan(mark + text, look)], item: place)]
        }
        func button(_ text: String, gapBefore: Bool = false) -> [Row] {
            plain("[ \(text) ]", gapBefore: gapBefore)
        }
        /// One that does nothing before the registration says so.
        func sendButton(_ text: String, gapBefore: Bool = false) -> [Row] {
            plain(
                "[ \(text) ]" + (login.isRegistered ? "" : " once registered"),
                gapBefore: gapBefore
            )
        }
        func field(_ label: String, _ field: TextField) -> [Row] {
            let caption = mark + label
            let used = SafeText.cells(of: caption)
            let (text, cursor) = field.shown(cells: width - used)
            return [
                Row(
                    spans: [ScreenSpan(caption, look), ScreenSpan(text)],
                    item: place,
                    cursor: isFocused ? used + cursor : nil
                )
            ]
        }
        switch item {
        case .entry: return []
        case .category(let category):
            return plain("[\(news.categories.contains(category) ? "x" : " ")] \(category)")
        case .locale: return plain("Language: \(news.locale ?? "as sent")", gapBefore: true)
        case .recipient: return field("To:       ", draft.recipient)
        case .message: return field("Message:  ", draft.message)
        case .sendKey: return field("Send key: ", draft.sendKey)
        case .platforms:
            let text = draft.showsPlatforms ? "Only these platforms:" : "Choose platforms …"
            return plain(text, gapBefore: true)
        case .platform(let word):
            return plain("[\(draft.switchedOn.contains(word) ? "x" : " ")] \(word)")
        case .send: return sendButton("Send", gapBefore: true)
        case .sendSecure: return sendButton("Send as a secure message")
        case .sendPicture: return sendButton("Send yourself a picture")
        case .sendNews: return button("Send to all six categories", gapBefore: true)
        case .user: return field("User:     ", login.name)
        case .password: return field("Password: ", login.password)
        case .logIn: return button("Log in", gapBefore: true)
        case .logOut: return button("Log out everywhere")
        case .newHandle: return button("Play a changed handle")
        }
    }

    private func inboxLine(_ entry: InboxEntry) -> String {
        let more = entry.mediaType == nil ? "" : "  [More]"
        return "\(entry.isOpened ? " " : "*") \(time(entry.receivedAt))  "
            + SafeText.line(entry.text) + more
    }

    /// A time of day; the day is the reader's.
    private func time(_ seconds: Int64) -> String {
        CivilMinute(seconds + Int64(facts.secondsFromUTC)).time
    }

    private func openEntry(_ width: Int, _ height: Int) -> [[ScreenSpan]] {
        guard let opened else { return [] }
        let cells = max(1, width - 4)
        var lines = SafeText.lines(opened.text, cells: cells).map { ScreenSpan("  \($0)", .strong) }
        if let content = opened.content {
            lines.append(ScreenSpan(""))
            lines += SafeText.lines(content, cells: cells).map { ScreenSpan("  \($0)") }
        }
        if !opened.about.isEmpty { lines.append(ScreenSpan("")) }
        for about in opened.about {
            lines += SafeText.lines(about, cells: cells).map { ScreenSpan("  \($0)", .faint) }
        }
        let first = min(opened.offset, max(0, lines.count - max(1, height)))
        return lines.dropFirst(first).prefix(max(0, height)).map { [$0] }
    }
}
