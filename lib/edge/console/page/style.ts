/**
 * The page's look: one column on a phone, two on a desk; light and dark by the reader's own
 * setting.
 */
const COLOURS = `
:root { --bg: #f5f4f0; --card: #fff; --line: #dfdcd3; --ink: #22211e; --soft: #66635b; --field: #fbfaf7;
  --accent: #2b5b84; --on-accent: #fff; --mine: #e4edf5;
  --good: #1e6b3c; --good-bg: #e0f1e5; --warn: #7d5200; --warn-bg: #fbeccb; --bad: #a3261f; --bad-bg: #fbe2df;
  --calm: #4c5866; --calm-bg: #e8ebee; }
@media (prefers-color-scheme: dark) {
  :root { --bg: #17181b; --card: #202226; --line: #363940; --ink: #e9e7e2; --soft: #a5a29a; --field: #191b1e;
    --accent: #8dbbe4; --on-accent: #10202e; --mine: #263544;
    --good: #86d6a2; --good-bg: #1d3426; --warn: #f0c56d; --warn-bg: #3b2f16; --bad: #ff9d94; --bad-bg: #43211f;
    --calm: #b4bec9; --calm-bg: #2d3238; } }`;

const FRAME = `
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.top { position: sticky; top: 0; z-index: 1; display: flex; align-items: center; gap: .75rem; padding: .6rem 1rem;
  background: var(--card); border-bottom: 1px solid var(--line); }
h1 { display: flex; align-items: center; gap: .5rem; margin: 0; font-size: 1.1rem; letter-spacing: .01em; }
.key { width: .8rem; height: .8rem; border: .2rem solid var(--accent); border-radius: 50% 50% 50% 0; }
.switches { display: flex; gap: .5rem; margin-left: auto; }
#assistant { max-width: 14rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
@media (max-width: 30rem) { .top { flex-wrap: wrap; gap: .4rem .5rem; padding: .5rem .75rem; } h1 { font-size: 1rem; gap: .35rem; }
  #assistant { max-width: 8rem; } .switches { gap: .35rem; } .switches button { padding: .35rem .6rem; } main { padding: .75rem; } }
main { max-width: 78rem; margin: 0 auto; padding: 1rem; }
.columns { display: grid; gap: 1rem; }
.columns > div { display: grid; gap: 1rem; align-content: start; min-width: 0; }
@media (min-width: 60rem) { .columns { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } main { padding: 1.25rem; } }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem; min-width: 0; }
#door, #problem { margin: 0 0 1rem; }
h2 { margin: 0 0 .6rem; font-size: 1rem; }
h3 { margin: .9rem 0 .3rem; font-size: .82rem; color: var(--soft); font-weight: 600; }
p { margin: .3rem 0; }
ul, ol { list-style: none; margin: 0; padding: 0; }
code, pre, .mono { font: .86em/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { margin: .25rem 0; padding: .5rem .6rem; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--field);
  border: 1px solid var(--line); border-radius: .4rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.empty, .hint, .soft { color: var(--soft); font-size: .9rem; }
.problem { padding: .6rem .9rem; border-radius: .6rem; background: var(--bad-bg); color: var(--bad); }`;

const CONTROLS = `
label { display: block; font-size: .9rem; margin-bottom: .25rem; }
input, textarea { width: 100%; min-width: 0; padding: .55rem .7rem; font: inherit; color: inherit; background: var(--field);
  border: 1px solid var(--line); border-radius: .5rem; }
textarea { resize: vertical; }
button { font: inherit; font-size: .92rem; padding: .45rem .9rem; min-height: 2.5rem; color: var(--ink); background: var(--card);
  border: 1px solid var(--line); border-radius: .5rem; cursor: pointer; }
button:hover { border-color: var(--soft); }
button:disabled { opacity: .5; cursor: default; }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.danger { color: var(--bad); border-color: currentColor; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.row { display: flex; align-items: center; gap: .6rem; margin-top: .5rem; }
.end { justify-content: flex-end; }
.hint { margin-right: auto; }
@media (max-width: 30rem) { .hint { display: none; } }
.badge { display: inline-block; flex: none; margin: 0; padding: .08rem .55rem; border-radius: 1rem; font-size: .8rem;
  font-weight: 600; background: var(--calm-bg); color: var(--calm); white-space: nowrap; }
.badge.healthy, .badge.pass, .badge.acted, .badge.done, .badge.act { background: var(--good-bg); color: var(--good); }
.badge.degraded, .badge.ask, .badge.modify, .badge.suspended, .badge.waiting { background: var(--warn-bg); color: var(--warn); }
.badge.unhealthy, .badge.block, .badge.refused, .badge.refuse, .badge.failed, .badge.dead-lettered, .badge.offline
  { background: var(--bad-bg); color: var(--bad); }
.badge.effect-unknown { background: var(--bad-bg); color: var(--bad); }`;

const PARTS = `
.turns { display: grid; gap: .5rem; max-height: 26rem; overflow-y: auto; padding: .1rem; margin-bottom: .75rem; }
.turns:empty { display: none; }
.said { max-width: 88%; padding: .45rem .75rem; border-radius: .8rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.said.mine { justify-self: end; background: var(--mine); border-bottom-right-radius: .2rem; }
.said.draft { opacity: .75; }
.said.theirs { justify-self: start; background: var(--field); border: 1px solid var(--line); border-bottom-left-radius: .2rem; }
.said.note { justify-self: start; padding: 0 .75rem; color: var(--soft); font-size: .88rem; }
.turn { display: grid; gap: .5rem; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .2rem 0 .6rem; font-size: .93rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.reasons li { padding: .35rem .6rem; margin-bottom: .4rem; border-radius: .4rem; background: var(--warn-bg); color: var(--warn); font-size: .92rem; }
details > summary { cursor: pointer; }
.howto { font-size: .92rem; }
.howto summary { color: var(--accent); }
.grants li { padding: .5rem 0; border-top: 1px solid var(--line); font-size: .93rem; overflow-wrap: anywhere; }
.grants li:first-child { border-top: 0; }
.grants p { margin: 0; }
.similar { margin-top: .5rem; }
.approvals li { padding: .75rem; border: 1px solid var(--warn); border-radius: .6rem; margin-bottom: .6rem; }
.decisions > li { border-top: 1px solid var(--line); }
.decisions > li:first-child { border-top: 0; }
.decisions > li > details > summary { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; align-items: center;
  gap: .6rem; padding: .55rem .1rem; list-style: none; }
.decisions > li > details > summary::-webkit-details-marker { display: none; }
.decisions .what { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.decisions details[open] > summary .what { white-space: normal; overflow-wrap: anywhere; }
.inside { padding: 0 .1rem .9rem; font-size: .93rem; overflow-wrap: anywhere; }
.inside .inside { margin-left: .4rem; padding: .1rem 0 .3rem .8rem; border-left: 2px solid var(--line); }
.trace li { display: grid; grid-template-columns: 4.6rem minmax(0, 1fr); gap: .5rem; align-items: baseline; padding: .12rem 0; }
.trace .badge { justify-self: start; }
.passes summary { color: var(--soft); }
.effect { display: flex; flex-wrap: wrap; gap: .3rem .6rem; align-items: baseline; padding: .15rem 0; }`;

export const STYLE = `${COLOURS}${FRAME}${CONTROLS}${PARTS}\n`;
