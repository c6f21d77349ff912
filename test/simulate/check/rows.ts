/**
 * Each write of the table, against the states that a row may have: which state follows which, which
 * rows stand in the index of unfinished things, and how far a counter may move at once. Pure; it
 * takes every row as it was before and after.
 */
import { canonicalText, type Fields, fieldsOf, listOf, numberOf, parseJson, textOf } from './json.ts';
import type { Rule, Run } from './run.ts';

export interface RowChange {
  readonly pk: string;
  readonly sk: string;
  /** Undefined where there is no row. */
  readonly before: Fields | undefined;
  readonly after: Fields | undefined;
}

type Next = Readonly<Record<string, readonly string[]>>;
/** The state of a row that is not there yet. */
const NONE = 'none';

const SIGNAL_ENDS = ['acted', 'refused', 'dropped', 'dead-lettered'];
const SIGNALS: Next = {
  [NONE]: ['received', 'reasoned'],
  received: ['perceived', 'dead-lettered'],
  perceived: ['reasoned', 'suspended', ...SIGNAL_ENDS],
  reasoned: ['suspended', ...SIGNAL_ENDS],
  suspended: ['acted', 'refused', 'dead-lettered'],
};
const EFFECT_ENDS = ['done', 'failed', 'refused', 'unknown'];
const EFFECTS: Next = {
  [NONE]: ['claimed', 'suspended', 'done', 'refused'],
  suspended: ['claimed', 'refused'],
  claimed: ['claimed', ...EFFECT_ENDS],
};
const APPROVALS: Next = {
  [NONE]: ['pending'],
  pending: ['approved', 'denied', 'expired'],
  approved: ['spent', 'expired'],
};
const GRANTS: Next = { [NONE]: ['live'], live: ['revoked', 'expired', 'spent'] };

const stateOf = (row: Fields | undefined): string => (row === undefined ? NONE : textOf(row.state));
const grew = (name: string, before: Fields = {}, after: Fields = {}): number =>
  numberOf(after[name]) - numberOf(before[name]);
const lengthOf = (row: Fields | undefined, name: string): number => listOf(row?.[name]).length;
const isMarked = (row: Fields): boolean => row.unfinishedSpace !== undefined;

/** A sentence for each condition that does not hold. */
const failures = (checks: readonly (readonly [holds: boolean, sentence: string])[]): readonly string[] =>
  checks.flatMap(([holds, sentence]) => (holds ? [] : [sentence]));

const checkNext = (next: Next, { before, after }: RowChange): readonly [boolean, string] => {
  const [from, to] = [stateOf(before), stateOf(after)];
  return [from === to || next[from]?.includes(to) === true, `went from ${from} to ${to}`];
};

/** When a model is asked again that was away. */
const askedAt = (row: Fields = {}): number => numberOf(fieldsOf(row.modelWait).dueAt);

const checkSignal = (change: RowChange, after: Fields): readonly string[] => {
  const { before } = change;
  const state = textOf(after.state);
  const hasEnded = state === 'suspended' || SIGNAL_ENDS.includes(state);
  const hasMoved = state !== stateOf(before);
  const told = (['replies', 'toolCalls'] as const).some((name) => lengthOf(after, name) > lengthOf(before, name));
  const isCounted = lengthOf(after, 'counted') > lengthOf(before, 'counted');
  const [sweeps, round, ends] = ['sweeps', 'round', 'ends'].map((name) => grew(name, before, after));
  const isPartOfAlbum = state === 'dropped' && textOf(after.stateReason).startsWith('it is a part of ');
  return failures([
    checkNext(isPartOfAlbum ? { ...SIGNALS, received: ['dropped'] } : SIGNALS, change),
    [hasEnded || (isMarked(after) && after.awaitsLog !== true), `is ${state}, and no sweep would find it`],
    [after.awaitsLog !== true || isMarked(after), 'waits for the log, which would not find it'],
    [!SIGNAL_ENDS.includes(state) || isMarked(after) === (after.awaitsLog === true), `is ${state}, and swept again`],
    [!hasEnded || !hasMoved || (after.awaitsLog === true && ends === 1), `became ${state}, and the log is not told`],
    [ends === 0 || ends === 1, `ended ${ends} times at once`],
    [sweeps === 0 || sweeps === 1 || after.sweeps === 0, `was swept ${sweeps} times at once`],
    [round === 0 || round === 1, `moved by ${round} rounds at once`],
    [!told || isCounted || (hasMoved && hasEnded), 'shows later turns an answer or a call again'],
    [before !== undefined || numberOf(after.unfinishedAt) > numberOf(after.feedAt), 'is due before it came'],
    [lengthOf(after, 'children') >= lengthOf(before, 'children'), 'lost a child'],
    [askedAt(after) === askedAt(before) || numberOf(after.unfinishedAt) > askedAt(after), 'is swept while it waits'],
  ]);
};

const markOfEffect = ({ state, waitingSince }: Fields): string => {
  if (state === 'unknown') return 'unknown';
  return state === 'claimed' && waitingSince !== undefined ? 'waiting' : '';
};

const checkEffect = (change: RowChange, after: Fields): readonly string[] => {
  const { before } = change;
  const state = textOf(after.state);
  const hasEnded = EFFECT_ENDS.includes(state);
  const mark = markOfEffect(after);
  const tries = grew('tries', before, after);
  // A client that got no answer sends the same write again.
  const isRepeat = before !== undefined && canonicalText(before) === canonicalText(after);
  return failures([
    checkNext(EFFECTS, change),
    [!EFFECT_ENDS.includes(stateOf(before)) || isRepeat, `was ${stateOf(before)}, and changed after it`],
    [
      mark === '' ? !isMarked(after) : textOf(after.unfinishedSpace).includes(mark),
      `is ${state}, and marked as if not`,
    ],
    [hasEnded === (after.settledAt !== undefined), `is ${state}, and ${hasEnded ? 'has no' : 'has a'} time of its end`],
    [tries === 0 || tries === 1, `counts ${tries} tries at once`],
    [state !== 'claimed' || tries === 0 || numberOf(after.leaseUntil) > numberOf(after.claimedAt), 'has no lease'],
    [mark !== 'waiting' || numberOf(after.leaseUntil) > numberOf(after.waitingSince), 'waits, and is tried at once'],
    [lengthOf(after, 'sentIds') >= lengthOf(before, 'sentIds') || hasEnded, 'forgot a message that was sent'],
  ]);
};

/**
 * A card, and a yes that is not spent, stay in the index until their time is over: then the sweep
 * ends the card, sends the yes to Act for the last time, and lets it go as it is. Act refuses it.
 */
const checkApproval = (change: RowChange, after: Fields, latest: number): readonly string[] => {
  const state = textOf(after.state);
  const isOver = state === 'approved' && latest >= numberOf(after.expiresAtMs);
  return failures([
    checkNext(APPROVALS, change),
    [!['pending', 'approved'].includes(state) || isMarked(after) || isOver, `is ${state}, and time would never end it`],
    [!['spent', 'denied'].includes(state) || !isMarked(after), `is ${state}, and still looked after`],
    [(state === 'spent') === (after.spentAt !== undefined), `is ${state}, and says otherwise when it was spent`],
    [!['approved', 'denied'].includes(state) || after.decider !== undefined, `is ${state} by nobody`],
    [lengthOf(after, 'reasons') > 0 && lengthOf(after, 'asks') === lengthOf(after, 'reasons'), 'asks for no reason'],
    [(after.origin === 'outside') === (after.taintSource !== undefined), 'names outside text where there is none'],
  ]);
};

const checkGrant = (change: RowChange, after: Fields): readonly string[] => {
  const uses = grew('uses', change.before, after);
  return failures([
    checkNext(GRANTS, change),
    [change.before === undefined ? after.uses === 0 : uses === 0 || uses === 1, `counts ${uses} uses at once`],
    [numberOf(after.uses) <= numberOf(after.usesMax), 'was used more often than it may'],
    [uses !== 1 || (isMarked(after) && after.state === 'live'), 'was used after its end'],
  ]);
};

const checkHead = ({ before }: RowChange, after: Fields): readonly string[] => {
  const [left, turn] = [before?.turn, after.turn];
  const [waited, waiting] = [listOf(before?.mailbox), listOf(after.mailbox)];
  const recent = listOf(after.recent);
  const same = (a: readonly unknown[], b: readonly unknown[]): boolean => a.join() === b.join();
  const isHandedOn = left !== undefined && left !== turn;
  return failures([
    [!isHandedOn || recent.includes(left) || textOf(left).startsWith('sum-'), `forgot the turn ${textOf(left)}`],
    [turn !== undefined || waiting.length === 0, 'lets messages wait, and no turn runs'],
    [same(waited, waiting) || same(waited, waiting.slice(0, -1)) || same(waited.slice(1), waiting), 'lost its order'],
    [new Set(waiting).size === waiting.length && new Set(recent).size === recent.length, 'names a turn twice'],
    [!isHandedOn || turn === undefined || textOf(waited[0]).startsWith(textOf(turn)), 'skipped a message'],
  ]);
};

/** `[turn, sum of the turn, sum, open reservation, its sum, its tokens] session` */
const entriesOf = (row: Fields = {}): ReadonlyMap<string, readonly unknown[]> =>
  new Map(
    Object.entries(row)
      .filter(([name]) => name.startsWith('s_'))
      .map(([name, value]) => [name, listOf(parseJson(textOf(value).replace(/\][^\]]*$/, ']')))]),
  );

/** A conversation’s spending is the day’s. An entry that comes back brings its sum along. */
const checkSpend = ({ before }: RowChange, after: Fields): readonly string[] => {
  const earlier = entriesOf(before);
  const entries = [...entriesOf(after)];
  const spent = entries.reduce((sum, [name, entry]) => {
    const known = earlier.get(name);
    return sum + (known === undefined ? numberOf(entry[4] ?? entry[1]) : numberOf(entry[2]) - numberOf(known[2]));
  }, 0);
  const hasReleased = [...earlier.keys()].some((name) => after[name] === undefined);
  const hasJobs = Object.values(after).some((value) => textOf(value).includes('] job:'));
  return failures([
    [grew('releases', before, after) === (hasReleased ? 1 : 0), 'counts a release wrong'],
    [hasJobs || (after.jobsUsd === undefined && after.jobs === undefined), 'counts jobs, and there are none'],
    [grew('usd', before, after) === spent, `counts ${grew('usd', before, after)} for ${spent}`],
    [numberOf(after.usd) >= 0 && numberOf(after.tokens) >= 0, 'owes its owner something'],
  ]);
};

type Check = (change: RowChange, after: Fields, latest: number) => readonly string[];

const CHECKS: readonly (readonly [RegExp, Check])[] = [
  [/^signal#.* record$/, checkSignal],
  [/^signal#.* effect#\d+$/, checkEffect],
  [/^approval#.* record$/, checkApproval],
  [/^grant#.* record$/, checkGrant],
  [/^session#.* head$/, checkHead],
  [/^spend#.* day$/, checkSpend],
];

/**
 * @param latest the latest time of the write that any clock shows, epoch milliseconds
 * @returns a sentence for each promise about rows that a write breaks
 */
export const checkRow = (change: RowChange, latest: number): readonly string[] => {
  const { pk, sk, after } = change;
  const found = CHECKS.find(([pattern]) => pattern.test(`${pk} ${sk}`));
  if (found === undefined) return [];
  if (after === undefined) return [`${pk} ${sk} was deleted`];
  return found[1](change, after, latest).map((sentence) => `${pk} ${sk} ${sentence}`);
};

/** The state that a signal ends in, by how its actions ended. */
const endOf = ({ evidence }: Run, id: string): string | undefined => {
  const decision = evidence.decisions.get(id);
  if (decision === undefined || decision.outcome === 'drop') return decision && 'dropped';
  const states = decision.actions.map((_, n) => evidence.effects.get(`${id}#${n}`)?.state);
  if (states.includes('suspended')) return 'suspended';
  return decision.outcome === 'refuse' || (states.length > 0 && states.every((state) => state === 'refused'))
    ? 'refused'
    : 'acted';
};

/** A row that something would still come back to. */
const isUnfinished = (name: string, row: Fields): boolean =>
  row.awaitsLog === true ||
  (isMarked(row) && row.state !== 'unknown') ||
  (name.endsWith(' head') && (row.turn !== undefined || lengthOf(row, 'mailbox') > 0));

export const rest: Rule = {
  name: 'rest',
  promise: 'When all rests, no turn runs, no message waits, and nothing is marked but effects that nobody knows.',
  check: ({ observed: { rows = {}, isUnfinished: isEndless } }) =>
    Object.entries(rows)
      .filter(([name, row]) => !isEndless && isUnfinished(name, row))
      .map(([name]) => `${name} is not finished, and nothing is left to do`),
};

/** Calls of a model that have ended, in all steps of a turn. */
const callsOf = ({ evidence, turns }: Run, root: string): number =>
  (turns.get(root) ?? [])
    .flatMap((id) => evidence.decisions.get(id)?.actions.map(({ action }, n) => ({ action, id: `${id}#${n}` })) ?? [])
    .filter(({ action, id }) => action?.author === 'model' && action.text === undefined && evidence.effects.has(id))
    .filter(({ id }) => EFFECT_ENDS.includes(evidence.effects.get(id)?.state ?? '')).length;

export const states: Rule = {
  name: 'states',
  promise: 'A signal’s state says how its actions ended, and a turn what it called.',
  check: (run) =>
    Object.entries(run.observed.rows ?? {}).flatMap(([name, row]) => {
      const [, id = ''] = /^signal#[^#]*#(.*) record$/.exec(name) ?? [];
      const [state, end] = [textOf(row.state), endOf(run, id)];
      if (id === '' || state === 'dead-lettered' || end === undefined) return [];
      const hasCalls = lengthOf(row, 'toolCalls') > 0;
      return failures([
        [state === end, `${id} is ${state}, and its actions say ${end}`],
        [id.includes('/') || hasCalls === callsOf(run, id) > 0, `${id} shows later turns other calls than it made`],
      ]);
    }),
};
