/**
 * The conversation of session `main`: what was said and what came back, rebuilt from the store so
 * that a reload loses nothing.
 */
export const SCRIPT_TALK = String.raw`
const SESSION = 'console:main';
const TURNS_SHOWN = 12;
const views = new Map();
let shownTalk = '';
/** What a person did to send signals that carry no text. */
const WORDS = { interrupt: 'STOP', resume: '/resume' };

const isSettled = (entry) => entry.view.turn === 'ended' && (entry.view.isTurnClosed || entry.looks > 2);

const refreshViews = async (roots) => {
  for (const root of roots) {
    const known = views.get(root.id);
    if (known && isSettled(known)) continue;
    const view = await call('GET', '/api/signals/' + root.id);
    views.set(root.id, { view, looks: view.turn === 'ended' ? (known ? known.looks : 0) + 1 : 0 });
  }
};

const noteOf = (view) => {
  if (view.turn === 'running') return 'working on it (' + view.state + ')\u2026';
  if (view.turn === 'waiting') return 'waiting for an approval';
  return view.replies.length === 0 && view.state !== 'acted' ? view.state + (view.stateReason ? ': ' + view.stateReason : '') : '';
};

const turnBlock = (root) => {
  const { view } = views.get(root.id);
  const said = view.text.length > 0 ? view.text.map((piece) => piece.text).join('\n') : WORDS[root.text] || root.text;
  const draft = draftOf(view);
  const note = draft ? 'writing\u2026' : noteOf(view);
  return element('li', 'turn', outsideText('div', 'said mine', said),
    ...view.replies.map((reply) => outsideText('div', 'said theirs', reply)),
    draft ? outsideText('div', 'said theirs draft', draft) : null,
    note ? element('div', 'said note', note) : null);
};

let talk = [];

const drawTalk = () => {
  const key = JSON.stringify(talk.map((root) => { const { view } = views.get(root.id); return [root.id, view.replies, noteOf(view), draftOf(view)]; }));
  if (key === shownTalk) return;
  shownTalk = key;
  fill(byId('turns'), talk.map(turnBlock));
  byId('turns').scrollTop = byId('turns').scrollHeight;
};

const showTalk = async (signals) => {
  const roots = signals.filter((signal) => signal.id === signal.root && signal.session === SESSION && signal.text !== 'approval-decision')
    .slice(0, TURNS_SHOWN).reverse();
  await refreshViews(roots);
  byId('no-turns').hidden = roots.length > 0;
  talk = roots;
  drawTalk();
  const running = roots.filter((root) => views.get(root.id).view.turn === 'running');
  // One conversation writes one answer at a time; the others wait for it.
  if (running.length > 0) void followDraft(running[0].id);
  return running.length > 0;
};

const say = async () => {
  const box = byId('text');
  const text = box.value;
  if (text.trim() === '') return;
  const key = crypto.randomUUID ? crypto.randomUUID() : String(Date.now()) + Math.random();
  const accepted = await attempt(() => call('POST', '/api/messages', { text, session: 'main', idempotencyKey: key }));
  if (accepted && box.value === text) box.value = '';
  refreshSoon();
};
`;
