/** The turns of the conversation that is shown, with the answers that are being written. */
import { signal } from '@preact/signals';
import type { ListedSignal } from '../../../core/edge/console/views.ts';
import type { SignalView } from '../../../core/verbs/signals/view.ts';
import { route } from './route.ts';
import { get, post, request } from './server.ts';

const STREAM_PAUSE_MS = 100;
const TURNS_SHOWN = 30;
/** Turns of the conversation that are shown: more once a person asked for earlier ones. */
export const turnsMax = signal(TURNS_SHOWN);
/** Nobody said these. */
const NO_TALK = ['approval-decision', 'session-summary'];

/** The answer of a turn while it is written. */
interface AnswerDraft {
  readonly text: string;
  /** The replies there were when it began. */
  readonly after: number;
}

export interface Turn {
  readonly root: ListedSignal;
  readonly view: SignalView;
}

/** Oldest first; undefined until they were asked for. */
export const turns = signal<readonly Turn[] | undefined>(undefined);
/** By the signal that is answered. */
export const drafts = signal<Readonly<Record<string, AnswerDraft>>>({});

/** Turns that were looked at, and how often since they ended. */
const known = new Map<string, { readonly view: SignalView; readonly looks: number }>();
const followed = new Set<string>();

/** The conversation that is shown, as its replies are addressed. */
export const shownSession = (): string => {
  const [view, name] = route.value;
  return view === 'talk' && name !== undefined ? name : 'console:main';
};

/** Empty once a reply has taken the place of the draft. */
export const draftText = (view: SignalView): string => {
  const draft = drafts.value[view.id];
  return draft !== undefined && view.turn === 'running' && view.replies.length <= draft.after ? draft.text : '';
};

const writeDraft = (id: string, draft: AnswerDraft): void => {
  drafts.value = { ...drafts.value, [id]: draft };
};

/** Another answer of the turn begins, after these replies. */
const beginNext = (id: string, replies: readonly string[]): void => {
  writeDraft(id, { text: '', after: replies.length });
  turns.value = turns.value?.map((turn) =>
    turn.view.id === id && turn.view.replies.length < replies.length
      ? { ...turn, view: { ...turn.view, replies } }
      : turn,
  );
};

interface StreamEnd {
  readonly last: string;
  readonly isOver: boolean;
  readonly isWaiting: boolean;
}

/** Reads what is new since the last event. An EventSource could not send the token. */
const readStream = async (id: string, last: string): Promise<StreamEnd> => {
  const response = await request(`/api/signals/${id}/stream`, { headers: { 'last-event-id': last } });
  if (!response.ok) throw new Error('there is no stream');
  let end: StreamEnd = { last, isOver: false, isWaiting: false };
  for (const event of (await response.text()).split('\n\n')) {
    const lines = event.split('\n');
    const fieldOf = (name: string): string | undefined =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    const answer = JSON.parse(fieldOf('data') ?? '{}');
    const draft = drafts.value[id] ?? { text: '', after: 0 };
    if (answer.type === 'next') beginNext(id, answer.replies);
    if (answer.type === 'text') writeDraft(id, { ...draft, text: draft.text + answer.text });
    // After `gave-way` the rest comes with the turn: to ask again would push out another page.
    const isOver = end.isOver || answer.type === 'end' || answer.type === 'gave-way';
    end = { last: fieldOf('id') ?? end.last, isOver, isWaiting: end.isWaiting || answer.turn === 'waiting' };
  }
  return end;
};

/** Ends with the turn, or as soon as anything fails: the page asks for the turn itself anyway. */
const followDraft = async (id: string, lookSoon: () => void): Promise<void> => {
  if (followed.has(id)) return;
  followed.add(id);
  writeDraft(id, { text: '', after: 0 });
  let end: StreamEnd = { last: '', isOver: false, isWaiting: false };
  try {
    while (!end.isOver && !document.hidden) {
      end = await readStream(id, end.last);
      await new Promise((resolve) => window.setTimeout(resolve, STREAM_PAUSE_MS));
    }
  } catch {
    end = { ...end, isOver: true };
  }
  if (end.isOver) lookSoon();
  // It goes on once a person has decided, or looks at the page again.
  if (!end.isOver || end.isWaiting) followed.delete(id);
};

const loadView = async (id: string): Promise<SignalView> => {
  const before = known.get(id);
  if (before?.view.turn === 'ended' && (before.view.isTurnClosed || before.looks > 2)) return before.view;
  const view = await get<SignalView>(`/api/signals/${id}`);
  known.set(id, { view, looks: view.turn === 'ended' ? (before?.looks ?? 0) + 1 : 0 });
  return view;
};

const isTalk = ({ id, sensor }: ListedSignal): boolean => !NO_TALK.includes(sensor) && !id.startsWith('cli-');
export const isTurnOf = (root: ListedSignal, session: string): boolean => isTalk(root) && root.answeredIn === session;

export const showMoreTurns = (): void => {
  turnsMax.value += TURNS_SHOWN;
};

/** Such as that of a job whose answer goes nowhere. */
const hasNoPlace = (session: string): boolean => session.endsWith(':');

/** Conversations of these signals, the newest first. */
export const sessionsIn = (roots: readonly ListedSignal[]): readonly string[] => [
  ...new Set([
    'console:main',
    ...roots.filter((root) => isTalk(root) && !hasNoPlace(root.answeredIn)).map(({ answeredIn }) => answeredIn),
  ]),
];

/** A page that stays open for days holds no more than it shows. */
const forgetOthers = (shown: readonly string[]): void => {
  for (const id of known.keys()) if (!shown.includes(id)) known.delete(id);
  const left = Object.entries(drafts.peek()).filter(([id]) => shown.includes(id));
  if (left.length < Object.keys(drafts.peek()).length) drafts.value = Object.fromEntries(left);
};

let refreshes = 0;

/** @returns whether a turn of the shown conversation is running */
export const refreshTurns = async (roots: readonly ListedSignal[], lookSoon: () => void): Promise<boolean> => {
  refreshes += 1;
  const mine = refreshes;
  const session = shownSession();
  const shown = roots.filter((root) => isTurnOf(root, session)).slice(0, turnsMax.peek());
  const found = await Promise.all(shown.reverse().map(async (root) => ({ root, view: await loadView(root.id) })));
  // Another conversation was chosen meanwhile, or a later refresh knows more.
  if (session !== shownSession() || mine !== refreshes) return true;
  if (JSON.stringify(found) !== JSON.stringify(turns.peek())) turns.value = found;
  forgetOthers(found.map(({ view }) => view.id));
  // One conversation writes one answer at a time; the others wait for it.
  const running = found.find(({ view }) => view.turn === 'running');
  if (running !== undefined) void followDraft(running.view.id, lookSoon);
  return running !== undefined;
};

/** @param session of the console, without its channel */
export const say = async (text: string, session: string): Promise<void> => {
  await post('/api/messages', {
    text,
    session,
    idempotencyKey: crypto.randomUUID?.() ?? `${Date.now()}${Math.random()}`,
  });
};
