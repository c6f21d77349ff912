/**
 * The page's knowledge of the server. While a person uses it, it asks a few times a second whether
 * anything changed, and for all that the first view shows if so; seldom when nothing has happened
 * for a while.
 */
import { computed, type Signal, signal } from '@preact/signals';
import type { Health, ListedSignal, StoppedSessionView } from '../../../core/edge/console/views.ts';
import type { ShownApproval, ShownGrant } from '../../../core/verbs/approvals/operations.ts';
import { phrase } from './language.ts';
import { describeFailure, get, query, token } from './server.ts';
import type { ShownJob } from './shown-job.ts';
import { refreshTurns, turns } from './turns.ts';

/** Between two questions whether anything changed. */
const MARK_MS = 250;
const BUSY_MS = 400;
/** A change that the mark does not cover is seen after so long. */
const QUIET_MS = 3000;
/** After two minutes without news or a key: a page left open costs little. */
const IDLE_MS = 90_000;
/** All is asked for again after so long, whatever the newest signals say. */
const WHOLE_MS = 30 * 60_000;
const IDLE_AFTER_MS = 120_000;
/** The interval for answers that change seldom. */
const SELDOM_MS = 9000;
/** A change may take a moment to show. */
const CHANGE_MS = 1500;

type Role = 'approver' | 'script';

/** States of signals that are still under way. */
export const RUNNING: readonly string[] = ['received', 'perceived', 'reasoned'];

/** The owner of the token: an approver, or a script, which only looks. */
export const role = signal<Role>('script');
export const isApprover = computed(() => role.value === 'approver');
export const approvals = signal<readonly ShownApproval[]>([]);
/** Rules in force that were learned. */
export const learned = signal(0);
/** Signals that nothing else caused, newest first; undefined until they were asked for. */
export const roots = signal<readonly ListedSignal[] | undefined>(undefined);
export const grants = signal<readonly ShownGrant[]>([]);
export const stopped = signal<readonly StoppedSessionView[]>([]);
export const jobs = signal<readonly ShownJob[]>([]);
/** Without a token it is the status alone. */
export const health = signal<Partial<Health> | undefined>(undefined);
/** Why the last look failed; empty if it did not. */
export const lookProblem = signal('');

let newsAt = Date.now();

/** @returns whether it is another one */
const keep = <T>(target: Signal<T>, value: T): boolean => {
  if (JSON.stringify(target.peek()) === JSON.stringify(value)) return false;
  target.value = value;
  return true;
};

/** Counts the looks that found something new: a list that this file does not hold follows it. */
export const news = signal(0);

const keepNews = <T>(target: Signal<T>, value: T): void => {
  if (!keep(target, value)) return;
  newsAt = Date.now();
  news.value += 1;
};

const ROOTS_SHOWN = 40;
/** A call reads 500 signals at most, and some turns cause hundreds. */
const CALLS_MAX = 5;

interface Feed {
  readonly signals: readonly ListedSignal[];
  readonly unread?: number;
  readonly cursor?: string;
}

/** @param cursor of the page before; empty for the newest */
const loadFeed = (cursor: string): Promise<Feed> =>
  get<Feed>(`/api/signals${query({ roots: 'true', limit: String(ROOTS_SHOWN), cursor })}`);

interface Older {
  /** From the newest on, as they were when a person first asked for more. */
  readonly signals: readonly ListedSignal[];
  /** Empty before the first page, undefined after the last one. */
  readonly cursor: string | undefined;
}

const NO_OLDER: Older = { signals: [], cursor: '' };
const older = signal(NO_OLDER);
const areRootsCut = signal(false);
/** Whether there may be more than `allRoots`. */
export const hasOlder = computed(() => areRootsCut.value && older.value.cursor !== undefined);

/** The roots, and older ones that a person asked for. */
export const allRoots = computed(() => [
  ...new Map([...(roots.value ?? []), ...older.value.signals].map((one) => [one.id, one])).values(),
]);

/** Asks until one that is wanted is found. A few calls at most: a person may ask again. */
export const loadOlder = async (isWanted: (one: ListedSignal) => boolean = () => true): Promise<void> => {
  let isFound = false;
  for (let calls = 0; calls < CALLS_MAX && !isFound && older.value.cursor !== undefined; calls += 1) {
    const before = new Set(allRoots.value.map(({ id }) => id));
    const { signals, cursor } = await loadFeed(older.value.cursor);
    older.value = { signals: [...older.value.signals, ...signals], cursor };
    isFound = signals.some((one) => !before.has(one.id) && isWanted(one));
  }
};

interface Home extends Feed {
  readonly approvals: readonly ShownApproval[];
  readonly role: Role;
}

/** Entries among the newest that this release of the server cannot read. */
export const unread = signal(0);

/** @param first the newest of them */
const loadRoots = async (first: Feed): Promise<readonly ListedSignal[]> => {
  const found = [...first.signals];
  let { cursor, unread: missing = 0 } = first;
  for (let calls = 1; calls < CALLS_MAX && found.length < ROOTS_SHOWN && cursor !== undefined; calls += 1) {
    const next = await loadFeed(cursor);
    found.push(...next.signals);
    missing += next.unread ?? 0;
    cursor = next.cursor;
  }
  unread.value = missing;
  areRootsCut.value = cursor !== undefined || found.length > ROOTS_SHOWN;
  return found.slice(0, ROOTS_SHOWN);
};

let mark = '';

/** Whether a signal came or ended: two requests to the table and the door's. */
const hasNews = async (): Promise<boolean> => {
  const found = await get<{ mark: string }>('/api/changes');
  const isNew = found.mark !== mark;
  mark = found.mark;
  return isNew;
};

let seldomAt = 0;

const lookSeldom = async (): Promise<void> => {
  if (Date.now() - seldomAt < SELDOM_MS) return;
  seldomAt = Date.now();
  const answer = await get<Partial<Health>>('/health');
  keep(health, answer);
  if (token.peek() === '') return;
  const allowed = await get<{ grants: readonly ShownGrant[]; learned?: number }>('/api/grants');
  keep(grants, allowed.grants);
  keep(learned, allowed.learned ?? 0);
  keep(stopped, (await get<{ sessions: readonly StoppedSessionView[] }>('/api/stopped')).sessions);
  keep(jobs, (await get<{ jobs: readonly ShownJob[] }>('/api/jobs/list')).jobs);
};

/** Asks first for all that the first view shows. @returns whether a turn is running */
const look = async (): Promise<boolean> => {
  let isRunning = false;
  if (token.peek() !== '') {
    const home = await get<Home>(`/api/home?limit=${ROOTS_SHOWN}`);
    const found = await loadRoots(home);
    keep(role, home.role);
    keepNews(approvals, home.approvals);
    keepNews(roots, found);
    // Between those and the newest some would be missing.
    if (!older.value.signals.some(({ id }) => found.some((one) => one.id === id))) older.value = NO_OLDER;
    // The lists are drawn before the conversation is asked for.
    await new Promise((resolve) => window.setTimeout(resolve));
    isRunning = await refreshTurns(allRoots.value, lookSoon);
  }
  await lookSeldom();
  return isRunning;
};

const isIdle = (): boolean => document.hidden || Date.now() - newsAt > IDLE_AFTER_MS;

let isBusy = false;
const isAnyUnderWay = (): boolean => roots.peek()?.some(({ state }) => RUNNING.includes(state)) === true;

const pauseMs = (): number => {
  if (document.hidden) return IDLE_MS;
  // Without the server nothing is read, and a running turn is waited for.
  if (isIdle()) return isBusy || lookProblem.peek() !== '' ? QUIET_MS : IDLE_MS;
  if (lookProblem.peek() !== '') return QUIET_MS;
  return isBusy || isAnyUnderWay() ? BUSY_MS : MARK_MS;
};

/** How old a whole look may be that is not made again because nothing changed. */
const wholeMs = (): number => {
  if (lookProblem.peek() !== '' || isBusy || turns.peek() === undefined) return 0;
  if (isIdle()) return WHOLE_MS;
  return isAnyUnderWay() ? 0 : QUIET_MS;
};

let wholeAt = 0;

const lookIfNews = async (): Promise<void> => {
  const mayWait = Date.now() - wholeAt < wholeMs();
  if (mayWait && token.peek() !== '' && !(await hasNews())) return;
  isBusy = await look();
  wholeAt = Date.now();
};

/** With the permission to notify, a page that nobody looks at goes on asking. */
const mayWatchUnseen = (): boolean => 'Notification' in window && Notification.permission === 'granted';

let timer = 0;
let isLooking = false;

const tick = async (): Promise<void> => {
  window.clearTimeout(timer);
  if (document.hidden && !mayWatchUnseen()) return;
  if (isLooking) {
    timer = window.setTimeout(tick, 200);
    return;
  }
  isLooking = true;
  try {
    await lookIfNews();
    lookProblem.value = '';
  } catch (error) {
    const isOffline = error instanceof TypeError;
    if (isOffline) health.value = undefined;
    lookProblem.value = isOffline ? phrase('tryingAgain') : describeFailure(error);
  }
  isLooking = false;
  timer = window.setTimeout(tick, pauseMs());
};

export const lookSoon = (): void => {
  newsAt = Date.now();
  window.clearTimeout(timer);
  timer = window.setTimeout(tick, 50);
};

/** Looks at everything now, and once more when a change has had time to show. */
export const lookAtChange = (): void => {
  for (const ms of [0, CHANGE_MS])
    window.setTimeout(() => {
      seldomAt = 0;
      lookSoon();
    }, ms);
};

export const startLooking = (): void => {
  document.addEventListener('visibilitychange', lookSoon);
  for (const event of ['pointerdown', 'keydown'])
    addEventListener(event, () => {
      if (Date.now() - newsAt > IDLE_AFTER_MS) lookSoon();
    });
  void tick();
};
