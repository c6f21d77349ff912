/**
 * Six invariants that hold whatever the task is. The gravest finding decides; all are named. A
 * person's own commands are not judged.
 * - stops: calls explained by keeping something from the owner (transparency)
 * - asks: claimed consent (autonomy), changes to the agent's own rules or code (modularity), work
 *   that repeats too often (sustainability)
 * - notes: unusually large calls (bloat), explanations that only repeat the call (mentorship)
 */

import type { Json, JsonObject } from '../../base/json.ts';
import { KIB } from '../../base/limits.ts';
import { type Action, isText } from '../../signal/action.ts';
import type { Facts, ToolEffects } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { caseless } from '../../text/canonical-text.ts';
import { canonicalPath } from '../../text/path-canonical.ts';
import { effectsOf } from './tool-effects.ts';

/** Longer arguments are noted in the trace: a third of an action's bound. */
export const BLOATED_CALL_CHARS = 16 * KIB;
/** Work that repeats more often is asked about: a person reads no report every minute. */
const STEADY_WORK_SECONDS_MIN = 5 * 60;

/** A reason stands at the beginning, so only that is read. */
const EXPLANATION_READ_CHARS = 2_000;
const HIDING =
  /\b(?:without (?:telling|informing|notifying)|(?:do not|don't|never|must not|should not) (?:tell|inform|notify|alert)|(?:hide|hiding|conceal|keep|keeping) (?:this|it|that) (?:secret )?from) (?:the |my |our |its )?(?:owner|user|person|human|approver)s?\b/;
const CLAIMED =
  /\b(?:already|pre-?) ?approved\b|\bapproval (?:is |was )?(?:already given|not (?:needed|required|necessary))\b|\b(?:no|without|skip(?:ping)?|bypass(?:ing)?) (?:the |an |any |my |our |its |your )?(?:human |(?:owner|user|person|human|approver)'?s'? )?approval\b/;

/** The system's own rules, code and deployment, wherever it is checked out. */
const OWN_PART =
  /(?:^|\/)(?:lib\/(?:gates|shell|text|judge|approvals|ledger|stages|evidence|log|signal)\/.*|functions\/[a-z-]+\/handler\.ts|infra\/(?:app|functions|bundling)\.ts|policy\.cedar|cdk\.json)$/;

/** A reason of more different words says something. */
const REPEATING_WORDS_MAX = 6;
/** A short explanation takes its words from the beginning of the arguments. */
const ARGS_READ_CHARS = 4_000;
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'a an the this that it to of for from in on at with and or as by is be are was will would i me my you your we our please now just do does call calling use using run running execute executing perform performing tool command action function request requested asked ask user owner need needs needed want wants must should given'.split(
    ' ',
  ),
);

interface Call {
  readonly action: Action;
  readonly effects: ToolEffects;
  /** The explanation in folded letters, without case. */
  readonly explanation: string;
}

/** Keys and values as one text, cut at a bound. */
const argumentText = (value: Json, charsMax: number): string => {
  if (typeof value === 'string') return value.slice(0, charsMax);
  if (value === null || typeof value !== 'object') return String(value);
  let text = '';
  for (const [key, child] of Object.entries(value)) {
    if (text.length >= charsMax) break;
    text += ` ${key.slice(0, charsMax)} ${argumentText(child, charsMax - text.length)}`;
  }
  return text;
};

const isBloated = ({ action }: Call): boolean =>
  argumentText(action.args ?? {}, BLOATED_CALL_CHARS + 1).length > BLOATED_CALL_CHARS;

const wouldChangeItself = ({ action: { args = {} }, effects: { writesFiles = [] } }: Call): boolean =>
  writesFiles.some((field) => {
    const value = Object.hasOwn(args, field) ? args[field] : undefined;
    return typeof value === 'string' && OWN_PART.test((canonicalPath(value) ?? '').toLowerCase());
  });

const repeatsTheCall = ({ action, explanation }: Call): boolean => {
  const words = new Set(explanation.match(/[\p{L}\p{N}]+/gu) ?? []);
  const telling = [...words].filter((word) => !EMPTY_WORDS.has(word));
  if (telling.length > REPEATING_WORDS_MAX) return false;
  const call = `${action.tool ?? ''} ${action.to ?? ''} ${caseless(argumentText(action.args ?? {}, ARGS_READ_CHARS))}`;
  return telling.every((word) => call.includes(word));
};

const isRestless = ({ action }: Call): boolean => {
  const seconds = repeatsEverySeconds(action.args ?? {});
  return seconds !== undefined && seconds < STEADY_WORK_SECONDS_MIN;
};

interface Invariant {
  readonly isBroken: (call: Call) => boolean;
  readonly verdict: 'pass' | 'ask' | 'block';
  readonly reason: string;
}

// biome-ignore format: one line per invariant, in their order
const INVARIANTS: readonly Invariant[] = [
  { verdict: 'block', isBroken: ({ explanation }) => HIDING.test(explanation),                  reason: 'transparency: it is explained by keeping something from the owner' },
  { verdict: 'ask',   isBroken: ({ explanation }) => CLAIMED.test(explanation),                 reason: 'autonomy: it claims an approval, and only a given one counts' },
  { verdict: 'pass',  isBroken: isBloated,                                                   reason: 'bloat: the arguments are unusually long' },
  { verdict: 'ask',   isBroken: wouldChangeItself,                                       reason: 'modularity: it would change the rules or the code the agent runs by' },
  { verdict: 'pass',  isBroken: repeatsTheCall,                                          reason: 'mentorship: the explanation only says again what the call says' },
  { verdict: 'ask',   isBroken: isRestless,                                              reason: 'sustainability: it would go on by itself more often than anybody could follow' },
];

const gravest = (broken: readonly Invariant[]): 'pass' | 'ask' | 'block' => {
  if (broken.some(({ verdict }) => verdict === 'block')) return 'block';
  return broken.some(({ verdict }) => verdict === 'ask') ? 'ask' : 'pass';
};

export const checkStandingInvariants = (action: Action, facts: Facts): Verdict => {
  if (action.author !== 'model' || isText(action)) return PASS;
  const explanation = caseless(action.explanation.slice(0, EXPLANATION_READ_CHARS));
  const call: Call = { action, effects: effectsOf(action, facts), explanation };
  const broken = INVARIANTS.filter(({ isBroken }) => isBroken(call));
  if (broken.length === 0) return PASS;
  return { verdict: gravest(broken), reason: broken.map(({ reason }) => reason).join('; ') };
};

/** The usual units of schedules, in seconds. */

const HOUR_S = 3_600;
const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 0.001],
  ['millis', 0.001],
  ['milliseconds', 0.001],
  ['s', 1],
  ['sec', 1],
  ['secs', 1],
  ['second', 1],
  ['seconds', 1],
  ['m', 60],
  ['min', 60],
  ['mins', 60],
  ['minute', 60],
  ['minutes', 60],
  ['h', HOUR_S],
  ['hour', HOUR_S],
  ['hours', HOUR_S],
  ['day', 24 * HOUR_S],
  ['days', 24 * HOUR_S],
]);

const NUMBER_FIELD =
  /^(?:every|interval|repeat(?:every)?|period)(ms|millis|seconds?|secs?|minutes?|mins?|hours?|days?)$/;
const TEXT_FIELD = /^(?:cron|schedule|every|interval|repeat|rate)$/;
const SPOKEN = /^(?:rate\()?\s*(?:every\s+)?(\d{1,9})?\s*([a-z]+)\s*\)?$/;
/** A longer schedule is not read: a cron line has some dozen characters. */
const SCHEDULE_CHARS_MAX = 200;

const stepOf = (part: string): number => {
  const step = /\/(\d{1,4})/.exec(part)?.[1];
  if (step !== undefined) return Math.max(1, Number(step));
  return part === '*' || part.includes('-') ? 1 : 60;
};

/** Shortest gap of one field of a cron line, in the field's own unit. */
const gapOf = (field: string): number => {
  const parts = field.split(',');
  return Math.min(60 / parts.length, ...parts.map(stepOf));
};

const cronSeconds = (fields: readonly string[]): number => {
  const [second = '0', ...rest] = fields.length === 6 && !fields.includes('?') ? fields : ['0', ...fields];
  return /^\d{1,2}$/.test(second) ? 60 * gapOf(rest[0] ?? '*') : gapOf(second);
};

const textSeconds = (schedule: string): number | undefined => {
  if (schedule.length > SCHEDULE_CHARS_MAX) return undefined;
  const text = schedule
    .trim()
    .toLowerCase()
    .replace(/^cron\((.*)\)$/, '$1');
  const fields = text.split(/\s+/);
  if (fields.length >= 5 && fields.length <= 6 && /^[\d*]/.test(text)) return cronSeconds(fields);
  const [, count = '1', unit = ''] = SPOKEN.exec(text) ?? [];
  const seconds = UNITS.get(unit);
  return seconds === undefined ? undefined : Number(count) * seconds;
};

const fieldSeconds = (name: string, value: unknown): number | undefined => {
  const key = name.toLowerCase().replace(/[-_]/g, '');
  const unit = NUMBER_FIELD.exec(key)?.[1];
  if (unit !== undefined && typeof value === 'number') return value * (UNITS.get(unit) ?? 1);
  return typeof value === 'string' && TEXT_FIELD.test(key) ? textSeconds(value) : undefined;
};

/**
 * How often the work of a call would repeat: the shortest gap in seconds, or undefined. Reads
 * `cron`, `rate(5 minutes)`, `every 10 minutes`, `everySeconds` among the top-level arguments.
 * Linear.
 */
export const repeatsEverySeconds = (args: JsonObject): number | undefined => {
  let shortest: number | undefined;
  for (const [name, value] of Object.entries(args)) {
    if (name.length > 32) continue;
    const seconds = fieldSeconds(name, value);
    if (seconds !== undefined && (shortest === undefined || seconds < shortest)) shortest = seconds;
  }
  return shortest;
};
