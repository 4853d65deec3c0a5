"use strict";

// Fills in numbers, answers keys, and hands a code over. It never makes markup of text.

const status = document.getElementById("status");
const cells = () => document.querySelectorAll("[data-live]");
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// On a narrow screen the page's own entry may stand outside of the bar.
document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

// The sign-in page: the code stands in the fragment, which no request carries.
const signIn = document.getElementById("sign-in");
if (signIn) {
  if (location.hash.length > 1) {
    signIn.elements.code.value = decodeURIComponent(location.hash.slice(1));
    history.replaceState(null, "", location.pathname + location.search);
    signIn.querySelector("button").focus();
  } else {
    signIn.elements.code.focus();
  }
}

// Live texts: the same page answers with them alone.
let isPaused = false;
let lastHeard = Date.now();
let lastTouched = Date.now();

async function ask(address) {
  const url = new URL(address, location.href);
  url.searchParams.set("live", "1");
  const last = document.querySelector("[data-live=last]");
  if (last) url.searchParams.set("after", last.textContent);
  const answer = await fetch(url, { headers: { Accept: "application/json" } });
  if (answer.status === 401) throw new Error("signed out");
  if (!answer.ok) throw new Error(`the hub answered ${answer.status}`);
  return answer.json();
}

function fill(values) {
  const known = new Set();
  for (const cell of cells()) {
    const value = values[cell.dataset.live];
    known.add(cell.dataset.live);
    if (value !== undefined && cell.textContent !== value) cell.textContent = value;
  }
  const unknown = Object.keys(values).filter((name) => !known.has(name));
  return grow(unknown.filter((name) => name.startsWith("tail-")), values) === unknown.length;
}

// Rows of a tail that came since: copies of the page's own row, the newest on top.
function grow(names, values) {
  const rows = document.querySelector("[data-tail]");
  if (!rows) return 0;
  const numbers = new Set(names.map((name) => Number(name.split("-")[1])));
  for (const number of Array.from(numbers).sort((left, right) => left - right)) {
    const row = document.getElementById("tail").content.firstElementChild.cloneNode(true);
    for (const cell of row.querySelectorAll("[data-part]")) {
      cell.dataset.live = `tail-${number}-${cell.dataset.part}`;
      cell.textContent = values[cell.dataset.live];
    }
    rows.prepend(row);
  }
  while (rows.children.length > 1000) rows.lastElementChild.remove();
  return names.length;
}

async function follow() {
  let pause = 1000;
  for (;;) {
    await wait(pause);
    if (document.hidden || isPaused) continue;
    if (Date.now() - lastTouched > 1800000) isPaused = true;
    try {
      const isComplete = fill(await ask(location.href));
      lastHeard = Date.now();
      pause = 1000;
      document.body.classList.remove("stale");
      status.textContent = isComplete ? "Live." : "Live. There are new rows: load the page again.";
    } catch (error) {
      document.body.classList.add("stale");
      if (error.message === "signed out") {
        status.textContent = "Your session has ended. Load the page to sign in again.";
        return;
      }
      const age = Math.round((Date.now() - lastHeard) / 1000);
      status.textContent = `The hub does not answer; the numbers are ${age} s old.`;
      pause = Math.min(pause * 2, 8000);
    }
  }
}
const audience = document.querySelector("form[data-script=audience]");
if (!audience && cells().length > 0) follow();

// The send form: the count follows what is typed, and an older answer never wins.
if (audience) {
  let asked = 0;
  let timer = 0;
  const count = async () => {
    const mine = ++asked;
    const url = new URL(audience.action.replace(/send\/preview$/, "audience"));
    url.searchParams.set("tags", audience.elements.tags.value);
    url.searchParams.set("format", audience.elements.format.value);
    try {
      const values = await ask(url);
      if (mine === asked) fill(values);
    } catch {
      if (mine === asked) fill({ audience: "The expression cannot be counted." });
    }
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(count, 300);
  };
  audience.elements.tags.addEventListener("input", later);
  audience.elements.format.addEventListener("change", later);
  count();
}

// A connection string goes to the clipboard, and into no page.
for (const form of document.querySelectorAll("form[data-script=copy]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const body = new URLSearchParams(new FormData(form));
      const answer = await fetch(form.action, { method: "POST", body });
      if (!answer.ok) throw new Error();
      await navigator.clipboard.writeText(await answer.text());
      status.textContent = "The connection string is on the clipboard.";
    } catch {
      form.submit();
    }
  });
}

// A double click sends once.
for (const form of document.querySelectorAll("form[method=post]:not([data-script=copy])")) {
  let isSent = false;
  form.addEventListener("submit", (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });
}
addEventListener("pageshow", (event) => {
  // A page that the browser kept may be one of a session that has ended.
  if (event.persisted) location.reload();
});

// Keys, outside of fields; they can be turned off.
const off = "belfry-keys-off";
const rows = () => Array.from(document.querySelectorAll("tbody tr"));
let chosen = null;
let isGoing = false;

function move(step) {
  const all = rows();
  if (all.length === 0) return;
  chosen?.classList.remove("chosen");
  chosen = all[Math.max(0, Math.min(all.length - 1, all.indexOf(chosen) + step))];
  chosen.classList.add("chosen");
  (chosen.querySelector("a") ?? chosen).focus();
}

function press(key) {
  if (isGoing) {
    isGoing = false;
    document.querySelector(`nav [data-key="${CSS.escape(key)}"]`)?.click();
    return true;
  }
  switch (key) {
    case "/": document.getElementById("find")?.focus(); return true;
    case "g": isGoing = true; return true;
    case "j": move(1); return true;
    case "k": move(-1); return true;
    case "]": document.querySelector("a[rel=next]")?.click(); return true;
    case "[": history.back(); return true;
    case "?": status.textContent = help; return true;
    case "!":
      localStorage.setItem(off, "1");
      status.textContent = "Keys are off. Remove the site's data to turn them on again.";
      return true;
    case "p":
      isPaused = !isPaused;
      status.textContent = isPaused ? "Paused." : "Live.";
      return true;
    default: return false;
  }
}

const help =
  "Keys: / find · g then o s n d r t e pages · j k row, Enter opens · [ ] page · p pause · ! turn keys off";
const hint = document.getElementById("keys");
if (!localStorage.getItem(off) && document.querySelector("nav")) {
  hint.textContent = "? shows the keys";
  addEventListener("keydown", (event) => {
    lastTouched = Date.now();
    const isField = event.target.closest("input, select, textarea, button");
    if (isField || event.ctrlKey || event.altKey || event.metaKey) return;
    if (press(event.key)) event.preventDefault();
  });
}
addEventListener("pointerdown", () => {
  lastTouched = Date.now();
  if (isPaused) isPaused = false;
});
