/**
 * What holds whatever the task, in the order of the six invariants; of several findings the gravest counts and all are told:
 * - transparency: nothing is done behind its owner's back. Stops calls explained by keeping something from the owner
 * - autonomy: consent is given, never claimed. Asks where an explanation speaks of an approval already given or not needed
 * - bloat: nothing larger than its task. A word about calls of unusual size
 * - modularity: the agent is no part of its own work. Asks before its rules, its code or its settings are written or moved
 * - mentorship: whoever reads the reason learns something. A word where an explanation only says again what the call says
 * - sustainability: nothing goes on by itself faster than anybody could follow. Asks before work that repeats too often
 * Lets through everything else: talk about approvals in replies, files of other projects, jobs by the hour, a person's commands.
 */

import type { Json } from '../../base/json.ts';
import { KIB } from '../../base/limits.ts';
import type { Action } from '../../signal/action.ts';
import { isText } from '../../signal/action.ts';
import type { Facts } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { caseless } from '../../text/canonical-text.ts';
import { canonicalPath } from '../../text/path-canonical.ts';
import { repeatsEverySeconds } from './work-interval.ts';

/** Arguments longer than this are worth a word in the trace: a third of what an action may be. */
export const BLOATED_CALL_CHARS = 16 * KIB;
/** Work that repeats by itself more often than this is asked about: a person reads no report every minute. */
const STEADY_WORK_SECONDS_MIN = 5 * 60;

/** Only the beginning is read: a reason stands there, and the explanation's own length has its bound elsewhere. */
const EXPLANATION_READ_CHARS = 2_000;
const HIDING =
  /\b(?:without (?:telling|informing|notifying)|(?:do not|don't|never|must not|should not) (?:tell|inform|notify|alert)|(?:hide|hiding|conceal|keep|keeping) (?:this|it|that) (?:secret )?from) (?:the |my |our |its )?(?:owner|user|person|human|approver)s?\b/;
const CLAIMED =
  /\b(?:already|pre-?) ?approved\b|\bapproval (?:is |was )?(?:already given|not (?:needed|required|necessary))\b|\b(?:no|without|skip(?:ping)?|bypass(?:ing)?) (?:the |an |any |my |our |its |your )?(?:human |(?:owner|user|person|human|approver)'?s'? )?approval\b/;

/** Tools that change the file they are given. */
const WRITING_TOOL = /^(?:write|append|replace|edit|repair|delete|move|rename|copy|create|patch)-/;
const PATH_FIELDS = ['path', 'file', 'filename', 'to', 'target', 'destination'] as const;
/** Parts of this system, wherever it is checked out: its rules, the code behind them, and how it is deployed. */
const OWN_PART =
  /(?:^|\/)(?:lib\/(?:gates|policy|approvals|pipeline|evidence|signal)\/.*|functions\/[a-z-]+\/handler\.ts|infra\/(?:app|functions|bundling)\.ts|policy\.cedar|cdk\.json)$/;

/** A reason of more different words than this says something. */
const REPEATING_WORDS_MAX = 6;
/** Of the arguments, as text: where a short explanation would take its words from. */
const ARGS_READ_CHARS = 4_000;
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'a an the this that it to of for from in on at with and or as by is be are was will would i me my you your we our please now just do does call calling use using run running execute executing perform performing tool command action function request requested asked ask user owner need needs needed want wants must should given'.split(
    ' ',
  ),
);

interface Call {
  readonly action: Action;
  /** The explanation in folded letters, without case. */
  readonly said: string;
}

/** Keys and values as one text, as far as a bound: what is longer is not read to its end. */
const textOf = (value: Json, charsMax: number): string => {
  if (typeof value === 'string') return value.slice(0, charsMax);
  if (value === null || typeof value !== 'object') return String(value);
  let text = '';
  for (const [key, child] of Object.entries(value)) {
    if (text.length >= charsMax) break;
    text += ` ${key.slice(0, charsMax)} ${textOf(child, charsMax - text.length)}`;
  }
  return text;
};

const isBloated = ({ action }: Call): boolean =>
  textOf(action.args ?? {}, BLOATED_CALL_CHARS + 1).length > BLOATED_CALL_CHARS;

const wouldChangeItself = ({ action: { tool = '', args = {} } }: Call): boolean =>
  WRITING_TOOL.test(tool) &&
  PATH_FIELDS.some((field) => {
    const value = Object.hasOwn(args, field) ? args[field] : undefined;
    return typeof value === 'string' && OWN_PART.test((canonicalPath(value) ?? '').toLowerCase());
  });

const repeatsTheCall = ({ action, said }: Call): boolean => {
  const words = new Set(said.match(/[\p{L}\p{N}]+/gu) ?? []);
  const telling = [...words].filter((word) => !EMPTY_WORDS.has(word));
  if (telling.length > REPEATING_WORDS_MAX) return false;
  const call = `${action.tool ?? ''} ${action.to ?? ''} ${caseless(textOf(action.args ?? {}, ARGS_READ_CHARS))}`;
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
  { verdict: 'block', isBroken: ({ said }) => HIDING.test(said),                         reason: 'transparency: it is explained by keeping something from the owner' },
  { verdict: 'ask',   isBroken: ({ said }) => CLAIMED.test(said),                        reason: 'autonomy: it claims an approval, and only a given one counts' },
  { verdict: 'pass',  isBroken: isBloated,                                                   reason: 'bloat: the arguments are unusually long' },
  { verdict: 'ask',   isBroken: wouldChangeItself,                                       reason: 'modularity: it would change the rules or the code the agent runs by' },
  { verdict: 'pass',  isBroken: repeatsTheCall,                                          reason: 'mentorship: the explanation only says again what the call says' },
  { verdict: 'ask',   isBroken: isRestless,                                              reason: 'sustainability: it would go on by itself more often than anybody could follow' },
];

const gravest = (broken: readonly Invariant[]): 'pass' | 'ask' | 'block' => {
  if (broken.some(({ verdict }) => verdict === 'block')) return 'block';
  return broken.some(({ verdict }) => verdict === 'ask') ? 'ask' : 'pass';
};

export const checkStandingInvariants = (action: Action, _facts: Facts): Verdict => {
  if (action.author !== 'model' || isText(action)) return PASS;
  const said = caseless(action.explanation.slice(0, EXPLANATION_READ_CHARS));
  const call: Call = { action, said };
  const broken = INVARIANTS.filter(({ isBroken }) => isBroken(call));
  if (broken.length === 0) return PASS;
  return { verdict: gravest(broken), reason: broken.map(({ reason }) => reason).join('; ') };
};
