/**
 * Signals on the page: one in full (attempts, the word of every gate, effects), the last decisions,
 * and the conversation `main` with the answers that are being written.
 */

import {
  attempt,
  badge,
  bearer,
  buttonOf,
  byId,
  call,
  clock,
  element,
  fieldOf,
  fill,
  markedText,
  outsideText,
} from './page-basics.js';
import { refreshSoon } from './page-controls.js';

/** @typedef {import('../../../wings/signals/view.ts').SignalView} SignalView */
/** @typedef {import('../views.ts').ListedSignal} ListedSignal */
/** @typedef {SignalView['effects'][number]} EffectView */
/** @typedef {NonNullable<SignalView['decision']>['attempts'][number]} AttemptView */
/** @typedef {NonNullable<SignalView['decision']>['actions'][number]} ActionView */
/** @typedef {EffectView['trace'][number]} TraceEntry */

/** @param {TraceEntry} entry */
const traceLine = (entry) =>
  element(
    'li',
    '',
    badge(entry.verdict),
    element('span', '', entry.gate, entry.reason ? element('span', 'soft', ` – ${entry.reason}`) : null),
  );

/** Gates that passed without a reason are folded. @param {readonly TraceEntry[]} trace */
const traceList = (trace) => {
  const shown = trace.filter((entry) => entry.verdict !== 'pass' || entry.reason);
  const passed = trace.filter((entry) => entry.verdict === 'pass' && !entry.reason);
  const list = element('ul', 'trace', ...shown.map(traceLine));
  if (passed.length === 0) return list;
  const passes = element(
    'details',
    'passes',
    element('summary', '', `${passed.length} of ${trace.length} gates passed`),
    element('ul', 'trace', ...passed.map(traceLine)),
  );
  return element('div', '', list, passes);
};

/** @param {ActionView} view @returns {(HTMLElement | null)[]} */
const actionLines = ({ sentence, action }) => [
  outsideText('p', 'sentence', sentence),
  action.text === undefined ? null : outsideText('pre', '', action.text),
  action.args === undefined ? null : outsideText('pre', '', JSON.stringify(action.args, null, 2)),
  action.url === undefined ? null : element('p', 'mono', action.url),
  action.author === 'code'
    ? null
    : outsideText('p', 'soft', (action.author === 'model' ? 'Why, says the model: ' : 'Why: ') + action.explanation),
];

/** @param {AttemptView['proposal']} proposal */
const proposalLines = (proposal) =>
  proposal === null
    ? []
    : [
        proposal.text === undefined ? null : outsideText('pre', '', proposal.text),
        ...proposal.calls.map((wanted) =>
          outsideText('pre', '', `${wanted.tool} ${JSON.stringify(wanted.args, null, 2)}`),
        ),
      ];

/** @param {AttemptView} made */
const attemptBlock = (made) => {
  const tokens = made.outputTokens === undefined ? '' : ` · ${made.inputTokens || 0} + ${made.outputTokens} tokens`;
  return element(
    'div',
    '',
    element('h3', '', `Attempt ${made.n} · ${made.provider} ${made.model}${tokens}`),
    made.problem ? element('p', 'problem', made.problem) : null,
    ...proposalLines(made.proposal),
    traceList(made.trace),
  );
};

/** @param {ActionView} item */
const actionBlock = (item) =>
  element('div', '', element('h3', '', `Action ${item.n}`), ...actionLines(item), traceList(item.trace));

/** Saves the receipt of an effect as a file. @param {string} action */
const saveReceipt = async (action) => {
  const { receipt, lines } = await call('GET', `/api/receipt?action=${encodeURIComponent(action)}`);
  if (receipt === undefined) throw new Error(lines.join(' '));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(receipt)], { type: 'application/json' }));
  link.download = 'receipt.json';
  link.click();
};

/** @param {string} id @returns {(effect: EffectView) => HTMLElement} */
const effectLine = (id) => (effect) =>
  element(
    'div',
    '',
    element(
      'p',
      'effect',
      badge(effect.state, effect.state === 'unknown' ? 'effect-unknown' : ''),
      `Effect ${effect.n} · ${effect.actuator}`,
      effect.reason ? element('span', 'soft', effect.reason) : null,
      buttonOf('Receipt', '', () => void attempt(() => saveReceipt(`${id}#${effect.n}`))),
    ),
    effect.output ? outsideText('pre', '', effect.output) : null,
    effect.trace.length > 0 ? traceList(effect.trace) : null,
  );

/** @param {SignalView['text'][number]} piece */
const pieceText = ({ text, origin, label }) =>
  origin === 'owner' ? text : `[${origin}${label ? `, ${label}` : ''}] ${text}`;

/** @param {SignalView} view @returns {HTMLElement} */
const signalBlock = (view) => {
  const attempts = view.decision ? view.decision.attempts : view.attempts || [];
  return element(
    'div',
    'inside',
    element('p', 'soft mono', `${view.id} · ${view.session}`),
    ...view.text.map((piece) => outsideText('pre', '', pieceText(piece))),
    view.stateReason && view.stateReason !== view.decision?.reason ? element('p', '', view.stateReason) : null,
    view.decision?.reason ? element('p', '', element('strong', '', 'Refused: '), view.decision.reason) : null,
    ...attempts.map(attemptBlock),
    ...(view.decision ? view.decision.actions.map(actionBlock) : []),
    view.effects.length > 0 ? element('h3', '', 'Effects') : null,
    ...view.effects.map(effectLine(view.id)),
    view.rules ? element('p', 'soft', view.rules) : null,
    ...view.children.map(childBlock),
  );
};

/** @param {string} id @returns {HTMLElement} */
const childBlock = (id) => {
  const details = element('details', '', element('summary', '', `then ${id}`));
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1)
      void attempt(async () => details.append(signalBlock(await call('GET', `/api/signals/${id}`))));
  });
  return details;
};

/**
 * @typedef {{ id: string, item: HTMLElement, details: HTMLDetailsElement, inside: HTMLElement,
 * state: HTMLElement, shownState: string }} Row
 */
/** @type {Map<string, Row>} */
const rows = new Map();

/** @param {Row} row */
const loadInside = (row) =>
  attempt(async () => {
    /** @type {SignalView} */
    const view = await call('GET', `/api/signals/${row.id}`);
    row.shownState = view.state;
    fill(row.inside, [signalBlock(view)]);
  });

/** @param {ListedSignal} signal @returns {Row} */
const buildRow = (signal) => {
  const [inside, state] = [element('div', ''), element('span', '')];
  const summary = element(
    'summary',
    '',
    state,
    outsideText('span', 'what', signal.text),
    element('span', 'soft', clock(signal.receivedAt)),
  );
  const details = element('details', '', summary, inside);
  const row = { id: signal.id, item: element('li', '', details), details, inside, state, shownState: '' };
  details.addEventListener('toggle', () => {
    if (details.open) void loadInside(row);
  });
  return row;
};

const DECISIONS_SHOWN = 20;
/** A call reads 500 signals at most, and some turns cause hundreds. */
const CALLS_MAX = 5;

/** The newest signals that nothing else caused. @returns {Promise<readonly ListedSignal[]>} */
export const loadRoots = async () => {
  /** @type {ListedSignal[]} */
  const roots = [];
  let next = '';
  for (let calls = 0; calls < CALLS_MAX && roots.length < DECISIONS_SHOWN; calls += 1) {
    /** @type {{ signals: readonly ListedSignal[], cursor?: string }} */
    const { signals, cursor } = await call('GET', `/api/signals?roots=true&limit=40${next}`);
    roots.push(...signals);
    if (cursor === undefined) break;
    next = `&cursor=${encodeURIComponent(cursor)}`;
  }
  return roots;
};

/**
 * Rows that stay keep their elements, so that an open one stays open. @param {readonly
 * ListedSignal[]} signals
 */
export const showDecisions = (signals) => {
  const roots = signals.slice(0, DECISIONS_SHOWN);
  byId('no-decisions').hidden = roots.length > 0;
  const wanted = roots.map((signal) => {
    const row = rows.get(signal.id) || buildRow(signal);
    rows.set(signal.id, row);
    row.state.className = `badge ${signal.state.replace(' ', '-')}`;
    row.state.textContent = signal.state;
    if (row.details.open && row.shownState !== signal.state) void loadInside(row);
    return row.item;
  });
  const list = byId('decisions');
  const isSame = wanted.length === list.children.length && wanted.every((item, index) => list.children[index] === item);
  if (!isSame) fill(list, wanted);
  for (const id of rows.keys()) if (!roots.some((signal) => signal.id === id)) rows.delete(id);
};

const STREAM_PAUSE_MS = 100;
const SESSION = 'console:main';
const TURNS_SHOWN = 30;
/** Nobody said these. */
const NO_TALK = ['approval-decision', 'session-summary'];

/**
 * The answer of a turn while it is written; `after` counts the replies there were when it began.
 */
/**
 * @typedef {{ text: string, last: string, after: number, isOver: boolean, isWaiting: boolean }}
 * Draft
 */
/** @type {Map<string, Draft>} */
const drafts = new Map();
/** @type {Map<string, { view: SignalView, looks: number }>} */
const views = new Map();
let shownTalk = '';
/** @type {readonly ListedSignal[]} */
let talk = [];

/** Empty once a reply has taken the draft's place. @param {SignalView} view */
const draftText = (view) => {
  const draft = drafts.get(view.id);
  return draft && view.turn === 'running' && view.replies.length <= draft.after ? draft.text : '';
};

/**
 * Another answer of the turn begins, after these replies. @param {string} id @param {Draft} draft
 * @param {readonly string[]} replies
 */
const beginNext = (id, draft, replies) => {
  draft.text = '';
  draft.after = replies.length;
  const entry = views.get(id);
  if (entry && entry.view.replies.length < replies.length)
    views.set(id, { ...entry, view: { ...entry.view, replies } });
};

/**
 * Reads what is new since the last event. An EventSource could not send the token. @param {string}
 * id @param {Draft} draft
 */
const readStream = async (id, draft) => {
  const response = await fetch(`/api/signals/${id}/stream`, {
    cache: 'no-store',
    credentials: 'omit',
    headers: { authorization: bearer(), 'last-event-id': draft.last },
  });
  if (!response.ok) throw new Error('there is no stream');
  for (const event of (await response.text()).split('\n\n')) {
    const lines = event.split('\n');
    const data = lines.find((line) => line.startsWith('data: '));
    const answer = data ? JSON.parse(data.slice(6)) : {};
    if (answer.type === 'end') {
      draft.isOver = true;
      draft.isWaiting = answer.turn === 'waiting';
    }
    // Asking again would only push out another page's stream: the rest comes with the turn.
    if (answer.type === 'gave-way') draft.isOver = true;
    if (answer.type === 'next') beginNext(id, draft, answer.replies);
    if (answer.type === 'text') draft.text += answer.text;
    const last = lines.find((line) => line.startsWith('id: '));
    if (last) draft.last = last.slice(4);
  }
};

/**
 * Ends with the turn, or as soon as anything fails: the page asks for the turn itself anyway.
 * @param {string} id
 */
const followDraft = async (id) => {
  if (drafts.has(id)) return;
  const draft = { text: '', last: '', after: 0, isOver: false, isWaiting: false };
  drafts.set(id, draft);
  try {
    while (!draft.isOver && !document.hidden) {
      await readStream(id, draft);
      drawTalk();
      await new Promise((resolve) => window.setTimeout(resolve, STREAM_PAUSE_MS));
    }
  } catch {
    draft.isOver = true;
  }
  if (draft.isOver) refreshSoon();
  // It goes on once a person has decided, or looks at the page again.
  if (!draft.isOver || draft.isWaiting) drafts.delete(id);
};

/** @param {{ view: SignalView, looks: number }} entry */
const isSettled = ({ view, looks }) => view.turn === 'ended' && (view.isTurnClosed || looks > 2);

/** @param {readonly ListedSignal[]} roots */
const refreshViews = async (roots) => {
  for (const root of roots) {
    const known = views.get(root.id);
    if (known && isSettled(known)) continue;
    /** @type {SignalView} */
    const view = await call('GET', `/api/signals/${root.id}`);
    views.set(root.id, { view, looks: view.turn === 'ended' ? (known ? known.looks : 0) + 1 : 0 });
  }
};

/** @param {SignalView} view */
const describeTurn = (view) => {
  if (view.turn === 'running') return `working on it (${view.state})…`;
  if (view.turn === 'waiting') return 'waiting for an approval';
  if (view.replies.length > 0 || view.state === 'acted') return '';
  return view.state + (view.stateReason ? `: ${view.stateReason}` : '');
};

/**
 * A card is shown as the actions that it asks about. @param {SignalView} view
 * @param {string} reply
 */
const replyText = (view, reply) => {
  const asked = (view.decision?.actions ?? []).filter(({ trace }) => trace.some(({ verdict }) => verdict === 'ask'));
  if (reply !== '[approval card]' || asked.length === 0) return reply;
  return `Asks for your yes: ${asked.map(({ sentence }) => sentence).join('; ')}`;
};

/** @param {ListedSignal} root @param {SignalView} view */
const turnBlock = (root, view) => {
  const text = view.text.length > 0 ? view.text.map((piece) => piece.text).join('\n') : root.text;
  const draft = draftText(view);
  const note = draft ? 'writing…' : describeTurn(view);
  return element(
    'li',
    'turn',
    outsideText('div', root.source === 'console' ? 'said mine' : 'said note', text),
    ...view.replies.map((reply) => markedText('said theirs', replyText(view, reply))),
    draft ? markedText('said theirs draft', draft) : null,
    note ? element('div', 'said note', note) : null,
  );
};

const drawTalk = () => {
  const turns = talk.flatMap((root) => {
    const entry = views.get(root.id);
    return entry === undefined ? [] : [{ root, view: entry.view }];
  });
  const key = JSON.stringify(
    turns.map(({ root, view }) => [root.id, view.replies, describeTurn(view), draftText(view)]),
  );
  if (key === shownTalk) return;
  shownTalk = key;
  fill(
    byId('turns'),
    turns.map(({ root, view }) => turnBlock(root, view)),
  );
  byId('turns').scrollTop = byId('turns').scrollHeight;
};

/**
 * @param {readonly ListedSignal[]} signals @returns {Promise<boolean>} whether a turn is running
 */
export const showTalk = async (signals) => {
  const isTurn = (/** @type {ListedSignal} */ { id, answeredIn, sensor }) =>
    answeredIn === SESSION && !NO_TALK.includes(sensor) && !id.startsWith('cli-');
  const roots = signals.filter(isTurn).slice(0, TURNS_SHOWN).reverse();
  await refreshViews(roots);
  byId('no-turns').hidden = roots.length > 0;
  talk = roots;
  drawTalk();
  // One conversation writes one answer at a time; the others wait for it.
  const running = roots.find((root) => views.get(root.id)?.view.turn === 'running');
  if (running !== undefined) void followDraft(running.id);
  return running !== undefined;
};

export const say = async () => {
  const box = fieldOf('text');
  const text = box.value;
  if (text.trim() === '') return;
  const idempotencyKey = crypto.randomUUID ? crypto.randomUUID() : String(Date.now()) + Math.random();
  const accepted = await attempt(() => call('POST', '/api/messages', { text, session: 'main', idempotencyKey }));
  if (accepted && box.value === text) box.value = '';
  refreshSoon();
};
