"""The scenarios of resume.json, by [R-3] to [R-5] of README.md."""


def decide(hub, hello):
    """[R-3] to [R-5], for resume.json."""
    epochs, first, head = hub["epochs"], hub["first"], hub["head"]
    cursor, seq, epoch = hub["cursor"], hello["seq"], hello["epoch"]
    current = epochs[-1][0]
    base = cursor
    if base is None:
        base = head if hub["effective_from"] is None else hub["effective_from"] - 1
    start = max(first - 1, min(head, base))
    names = [e for e, _ in epochs]
    lost = 0
    known = 0 if seq == 0 else hub["checks"].get(seq)
    if epoch == 0:
        outcome = "FRESH"
    elif epoch not in names:
        outcome = "RESET"
    elif epoch != current and seq >= epochs[names.index(epoch) + 1][1]:
        outcome = "RESET"
    elif seq > head:
        outcome = "RESET"
    elif seq >= first - 1 and known is not None and known != hello["check"]:
        outcome = "RESET"
    else:
        outcome, start = "RESUMED", max(seq, first - 1)
    scan = start
    if start == cursor and hub["scanned_through"] is not None:
        scan = max(start, min(hub["scanned_through"], head))
    if hub["cut"] and hub["cut"]["through"] > scan:
        scan = start = min(hub["cut"]["through"], head)
        lost, outcome = hub["cut"]["lost"], "RESET" if outcome == "RESET" else "GAP"
    check = 0 if start == 0 else hub["checks"].get(start)
    if outcome == "RESUMED" and start == seq:
        check = hello["check"]
    acknowledged = cursor
    if outcome == "RESUMED" and (cursor is not None or hub["effective_from"] is not None):
        acknowledged = max(cursor or 0, start)
    return dict(resume=outcome, epoch=current, seq=start, check=check, lost=lost, scan_after=scan,
                acknowledged=acknowledged)


def resume():
    """Outcomes are written down by hand; `decide` only confirms them."""
    out = []

    def scenario(name, want, first=1, head=46, epochs=((7, 1),), cursor=None, scanned=None,
                 effective=None, cut=None, hello=(7, 0, None), missing=()):
        checks = {s: (0x1000 + s) & 0xFFFFFFFF for s in range(first, head + 1) if s in range(first, first + 3)
                  or s > head - 60}
        hub = dict(epochs=[list(e) for e in epochs], first=first, head=head, checks=checks,
                   cursor=cursor, scanned_through=scanned, effective_from=effective, cut=cut)
        epoch, seq, check = hello
        check = checks.get(seq, 0) if check is None else check
        got = decide(hub, dict(epoch=epoch, seq=seq, check=check))
        assert (got["resume"], got["seq"], got["lost"], got["scan_after"]) == want, (name, got)
        s = lambda v: None if v is None else str(v)
        out.append(dict(
            name=name,
            hub=dict(epochs=[[str(e), str(f)] for e, f in epochs], first=str(first), head=str(head),
                     checks={str(k): v for k, v in checks.items()}, cursor=s(cursor),
                     scanned_through=s(scanned), effective_from=s(effective),
                     cut=cut and dict(through=str(cut["through"]), lost=cut["lost"])),
            hello=dict(epoch=str(epoch), seq=str(seq), check=check),
            expect=dict(resume=got["resume"], epoch=str(got["epoch"]), seq=str(got["seq"]),
                        check=got["check"], lost=got["lost"], scan_after=str(got["scan_after"]),
                        acknowledged=s(got["acknowledged"]))))

    none = (0, 0, 0)
    scenario("first connection ever, empty log", ("FRESH", 0, 0, 0), head=0, hello=none)
    scenario("first connection, log has history, no registrations", ("FRESH", 46, 0, 46), hello=none)
    scenario("no position, registered at 40", ("FRESH", 39, 0, 39), effective=40, hello=none)
    scenario("no position, registered before the oldest record", ("FRESH", 29, 0, 29), first=30,
             effective=5, hello=none)
    scenario("position lost, the hub has a cursor", ("FRESH", 44, 0, 44), cursor=44, effective=3,
             hello=none)
    scenario("position lost, cursor below the oldest record", ("FRESH", 29, 0, 29), first=30, cursor=10,
             hello=none)
    scenario("position lost, cursor above the head after a restore", ("FRESH", 46, 0, 46), cursor=50,
             hello=none)
    scenario("nothing new", ("RESUMED", 46, 0, 46), cursor=46, hello=(7, 46, None))
    scenario("two stored of four sent", ("RESUMED", 44, 0, 44), cursor=42, hello=(7, 44, None))
    scenario("everything stored, the ACK was lost", ("RESUMED", 46, 0, 46), cursor=42, hello=(7, 46, None))
    scenario("device restored from its own backup", ("RESUMED", 41, 0, 41), cursor=46, hello=(7, 41, None))
    scenario("a long idle device, nothing matched meanwhile", ("RESUMED", 40, 0, 45), cursor=40,
             scanned=45, hello=(7, 40, None))
    scenario("scanned through counts for the cursor only", ("RESUMED", 41, 0, 41), cursor=40, scanned=45,
             hello=(7, 41, None))
    scenario("position before the oldest record", ("RESUMED", 29, 0, 29), first=30, cursor=12,
             hello=(7, 12, 99))
    scenario("position just before the oldest record", ("RESUMED", 29, 0, 29), first=30, cursor=29,
             hello=(7, 29, 99))
    scenario("position at the oldest record", ("RESUMED", 30, 0, 30), first=30, cursor=30,
             hello=(7, 30, None))
    scenario("position at the oldest record, other check", ("RESET", 30, 0, 30), first=30, cursor=30,
             hello=(7, 30, 99))
    scenario("everything expired, position at the head", ("RESUMED", 46, 0, 46), first=47, head=46,
             cursor=46, hello=(7, 46, 99))
    scenario("everything expired, position below", ("RESUMED", 46, 0, 46), first=47, head=46, cursor=20,
             hello=(7, 20, 99))
    scenario("nothing yet in this epoch", ("RESUMED", 0, 0, 0), hello=(7, 0, 0), effective=1)
    scenario("nothing yet has check 0", ("RESET", 46, 0, 46), hello=(7, 0, 1234))
    scenario("nothing yet, oldest record is later", ("RESUMED", 29, 0, 29), first=30, hello=(7, 0, 0))
    scenario("position at the head", ("RESUMED", 46, 0, 46), hello=(7, 46, None))
    scenario("position above the head", ("RESET", 42, 0, 42), cursor=42, hello=(7, 47, 99))
    scenario("position above the head, no cursor", ("RESET", 9, 0, 9), effective=10, hello=(7, 47, 99))
    scenario("position in an empty log", ("RESET", 0, 0, 0), head=0, hello=(7, 1, 99))
    scenario("same number, other check", ("RESET", 42, 0, 42), cursor=42, hello=(7, 44, 99))
    scenario("check 0 is compared like any other", ("RESET", 42, 0, 42), cursor=42, hello=(7, 44, 0))
    scenario("epoch of another hub", ("RESET", 42, 0, 42), cursor=42, hello=(8, 44, None))
    scenario("older epoch, before the fork", ("RESUMED", 44, 0, 44), epochs=((7, 1), (9, 45)), cursor=44,
             hello=(7, 44, None))
    scenario("older epoch, before the fork, other check", ("RESET", 44, 0, 44), epochs=((7, 1), (9, 45)),
             cursor=44, hello=(7, 44, 99))
    scenario("older epoch, at the fork", ("RESET", 44, 0, 44), epochs=((7, 1), (9, 45)), cursor=44,
             hello=(7, 45, None))
    scenario("older epoch, after the fork", ("RESET", 44, 0, 44), epochs=((7, 1), (9, 45)), cursor=44,
             hello=(7, 46, None))
    scenario("two forks, position before the first", ("RESUMED", 43, 0, 43),
             epochs=((7, 1), (9, 44), (11, 45)), cursor=43, hello=(7, 43, None))
    scenario("two forks, position between them", ("RESUMED", 44, 0, 44),
             epochs=((7, 1), (9, 44), (11, 45)), cursor=44, hello=(9, 44, None))
    scenario("two forks, position of the first epoch between them", ("RESET", 43, 0, 43),
             epochs=((7, 1), (9, 44), (11, 45)), cursor=43, hello=(7, 44, None))
    scenario("older epoch, before the oldest record", ("RESUMED", 44, 0, 44), first=45,
             epochs=((7, 1), (9, 40)), cursor=39, hello=(7, 39, 99))
    scenario("current epoch after a fork", ("RESUMED", 46, 0, 46), epochs=((7, 1), (9, 45)), cursor=44,
             hello=(9, 46, None))
    unknown = 0xFFFFFFFF
    scenario("position lost, nothing matched meanwhile", ("FRESH", 40, 0, 45), cursor=40, scanned=45,
             hello=none)
    scenario("another history, nothing matched meanwhile", ("RESET", 40, 0, 45), cursor=40, scanned=45,
             hello=(8, 44, None))
    scenario("scanned through the head at most", ("RESUMED", 40, 0, 46), cursor=40, scanned=60,
             hello=(7, 40, None))
    scenario("tag history cut up to 30", ("GAP", 30, unknown, 30), cursor=12, hello=(7, 12, None),
             cut=dict(through=30, lost=unknown))
    scenario("cut at the position", ("RESUMED", 30, 0, 30), cursor=30, hello=(7, 30, None),
             cut=dict(through=30, lost=unknown))
    scenario("cut where nothing matched", ("RESUMED", 12, 0, 30), cursor=12, scanned=30, hello=(7, 12, None),
             cut=dict(through=30, lost=unknown))
    scenario("cut below the oldest record", ("RESUMED", 39, 0, 39), first=40, cursor=12, hello=(7, 12, 99),
             cut=dict(through=30, lost=unknown))
    scenario("cut without a position", ("GAP", 30, unknown, 30), cursor=12, hello=none,
             cut=dict(through=30, lost=unknown))
    scenario("another history and a cut", ("RESET", 44, unknown, 44), cursor=12, hello=(7, 40, 99),
             cut=dict(through=44, lost=unknown))
    scenario("cut above the head after a restore", ("GAP", 46, unknown, 46), cursor=12, hello=(7, 12, None),
             cut=dict(through=60, lost=unknown))
    scenario("largest numbers", ("RESUMED", 2**64 - 2, 0, 2**64 - 2), first=2**64 - 3, head=2**64 - 1,
             epochs=((2**64 - 1, 1),), cursor=2**64 - 3, hello=(2**64 - 1, 2**64 - 2, None))
    return out
