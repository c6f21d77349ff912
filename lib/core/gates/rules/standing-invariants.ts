/**
 * Three invariants that hold whatever the task is. The gravest finding decides; all are named. A
 * person's own commands are not judged.
 * - asks: changes to the agent's own rules or code (modularity)
 * - notes: unusually large calls (bloat), explanations that only repeat the call (mentorship)
 */

import type { Json } from '../../base/json.ts';
import { KIB } from '../../base/limits.ts';
import { type Action, isText } from '../../signal/action.ts';
import type { Facts, ToolEffects } from '../../signal/facts.ts';
import { PASS, type Verdict } from '../../signal/gate.ts';
import { caseless } from '../../text/canonical-text.ts';
import { canonicalPath } from '../../text/path-canonical.ts';
import { effectsOf } from './tool-effects.ts';

/** Longer arguments are noted in the trace: a third of an action's bound. */
export const BLOATED_CALL_CHARS = 16 * KIB;

/** A reason stands at the beginning, so only that is read. */
const EXPLANATION_READ_CHARS = 2_000;

/** The system's own rules, code and deployment, wherever it is checked out. */
const OWN_PART =
  /(?:^|\/)(?:lib\/(?:(?:core\/)?(?:gates|shell|text|judge|approvals|ledger|stages|evidence|log|signal)|features)\/.*|functions\/[a-z-]+\/handler\.ts|infra\/(?:app|functions|bundling)\.ts|policy\.cedar|cdk\.json)$/;

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

interface Invariant {
  readonly isBroken: (call: Call) => boolean;
  readonly verdict: 'pass' | 'ask';
  readonly reason: string;
}

// biome-ignore format: one line per invariant, in their order
const INVARIANTS: readonly Invariant[] = [
  { verdict: 'pass', isBroken: isBloated,         reason: 'bloat: the arguments are unusually long' },
  { verdict: 'ask',  isBroken: wouldChangeItself, reason: 'modularity: it would change the rules or the code the agent runs by' },
  { verdict: 'pass', isBroken: repeatsTheCall,    reason: 'mentorship: the explanation only says again what the call says' },
];

export const checkStandingInvariants = (action: Action, facts: Facts): Verdict => {
  if (action.author !== 'model' || isText(action)) return PASS;
  const explanation = caseless(action.explanation.slice(0, EXPLANATION_READ_CHARS));
  const call: Call = { action, effects: effectsOf(action, facts), explanation };
  const broken = INVARIANTS.filter(({ isBroken }) => isBroken(call));
  if (broken.length === 0) return PASS;
  const isAsked = broken.some(({ verdict }) => verdict === 'ask');
  return { verdict: isAsked ? 'ask' : 'pass', reason: broken.map(({ reason }) => reason).join('; ') };
};
