/**
 * What each row of the table has, what of it may change, and how long it is kept, as the table in
 * `lib/README.md` says. Times of what happened are of this run, and not later than the write. Pure.
 */
import { canonicalText, type Fields, numberOf } from './json.ts';
import type { RowChange } from './rows.ts';

interface Form {
  readonly named: RegExp;
  /** Fields that are always there. */
  readonly has: readonly string[];
  /** The others never change; undefined if any may. */
  readonly changes?: readonly string[] | undefined;
  /** The least and the most seconds until it may be removed; undefined if it is kept for good. */
  readonly keptS?: readonly [least: number, most: number] | undefined;
}

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

const form = (named: RegExp, has: string, changes?: string, keptS?: readonly [number, number]): Form => ({
  named,
  has: words(`schemaVersion ${has}`),
  changes: changes === undefined ? undefined : words(changes),
  keptS,
});

const [HOUR_S, DAY_S] = [3_600, 86_400];
const MARK = 'unfinishedSpace unfinishedAt';

const FORMS: readonly Form[] = [
  form(
    /^approval#.* record$/,
    `id space session signalId n action actionHash requester lines policyVersion policyHash reasons asks destroys
     origin costs state createdAt expiresAtMs feedSpace feedAt`,
    `state ${MARK} decider decidedBy decidedAt spentAt similarAt endedBecause endedAt`,
  ),
  form(
    /^grant#.* record$/,
    `id space session policyVersion gates target tool to args usesMax uses state createdAt createdBy fromSignal
     fromN expiresAtMs`,
    `state ${MARK} uses`,
  ),
  form(/^signal#.* decision$/, 'signalId at outcome reason gateSet policyVersion attemptCount actions', ''),
  form(
    /^signal#.* attempt#\d+$/,
    'n at provider model promptHash tier tierBecause inputTokens outputTokens cost judged',
    '',
  ),
  form(
    /^signal#.* effect#\d+$/,
    'n actuator state actionHash trace facts tries',
    `state output outputOrigin settledAt reason because ${MARK} leaseUntil isReleased waitingSince facts trace tries
     claimedAt claim costUsd sentIds grantId approvalId`,
  ),
  form(
    /^signal#.* record$/,
    'state signal round sweeps feedSpace feedAt',
    `state awaitsLog replies toolCalls ends counted ${MARK} children round sweeps modelWait signal gathered
     stateReason because diedIn`,
  ),
  form(/^session#.* sent#/, 'expiresAt', '', [30 * DAY_S, 30 * DAY_S]),
  form(/^session#.* hour#\d+$/, 'expiresAt texts', undefined, [HOUR_S, 3 * HOUR_S]),
  form(/^session#.* digest#/, 'session place isKept newest lines', undefined, [30 * DAY_S, 30 * DAY_S + HOUR_S]),
  form(/^session#.*#muted /, 'texts', 'texts', [DAY_S, DAY_S + HOUR_S]),
  form(/^quota#.* day$/, 'messages', undefined, [DAY_S, 2 * DAY_S]),
  form(/^session#.* head$/, 'startedAt'),
  form(/^commit#.* record#/, 'number previous at signalId effectId actor kind hash parts changes', ''),
  form(
    /^memory#.* version#/,
    `state id type scope origin version commit createdAt updatedAt bySignal byEffect hash attributes content nonce
     contentHash children`,
    '',
  ),
  form(/^dead-letter#/, 'queue body reason at', ''),
  form(/^log#.* (?:entries|key)#/, '', ''),
];

/** What happened is not later than the write. */
const PAST = words(`at createdAt decidedAt spentAt endedAt claimedAt settledAt feedAt startedAt waitingSince updatedAt
  pairedAt stoppedAt removedAt`);
/** A row is looked after again within so long: of a grant, when it ends. */
const LOOKED_AFTER_MS = DAY_S * 1000;
/** Clocks that are apart, and messages and writes that come late. */
const SLACK_MS = 30 * 60_000;

/** A write of its own has a name of its own. */
const isToken = (name: string): boolean => /^w\d$/.test(name);

const changedFields = (before: Fields, after: Fields): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isToken(name) && canonicalText(before[name] ?? null) !== canonicalText(after[name] ?? null),
  );

const checkKept = ({ keptS }: Form, row: Fields, latest: number): readonly string[] => {
  if (row.expiresAt === undefined) return keptS === undefined ? [] : ['is kept for good'];
  const leftS = numberOf(row.expiresAt) - latest / 1000;
  const [least, most] = keptS ?? [0, 0];
  const slackS = SLACK_MS / 1000;
  return leftS >= least - slackS && leftS <= most + slackS ? [] : [`is kept for ${Math.round(leftS)} seconds`];
};

const checkTimes = (row: Fields, begunAt: number, latest: number): readonly string[] => [
  ...PAST.filter((name) => row[name] !== undefined && !isWithin(numberOf(row[name]), begunAt - SLACK_MS, latest)).map(
    (name) => `has the time ${numberOf(row[name])} as ${name}`,
  ),
  ...(row.unfinishedAt === undefined ||
  isWithin(numberOf(row.unfinishedAt), begunAt - SLACK_MS, latest + LOOKED_AFTER_MS)
    ? []
    : [`is looked after at ${numberOf(row.unfinishedAt)}`]),
];

const isWithin = (at: number, least: number, most: number): boolean => at >= least && at <= most;

/**
 * @param begunAt when the run began, epoch milliseconds
 * @param latest the latest time of the write that any clock shows
 * @returns a sentence for each way in which a row does not have its form
 */
export const checkForm = ({ pk, sk, before, after }: RowChange, begunAt: number, latest: number): readonly string[] => {
  const found = FORMS.find(({ named }) => named.test(`${pk} ${sk}`));
  if (after === undefined) return [];
  const { has = [], changes } = found ?? {};
  const wrong = [
    ...has.filter((name) => after[name] === undefined).map((name) => `has no ${name}`),
    ...(before === undefined || changes === undefined
      ? []
      : changedFields(before, after)
          .filter((name) => !changes.includes(name))
          .map((name) => `changed its ${name}`)),
    ...(found === undefined ? [] : checkKept(found, after, latest)),
    ...checkTimes(after, begunAt, latest),
  ];
  return wrong.map((sentence) => `${pk} ${sk} ${sentence}`);
};
