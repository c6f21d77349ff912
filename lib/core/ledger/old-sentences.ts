/**
 * Reads the codes of records. For those that were stored without a code it reads their English
 * sentences, and only here; `judge/old-choices.ts` does so for questions. Nothing is put into a
 * record: hashes name it as it is stored. Pure.
 */
import type { Because } from '../signal/because.ts';
import type { Decision, Effect } from '../signal/decision.ts';
import type { Facts } from '../signal/facts.ts';
import type { EndedBecause, SignalRecord } from './record.ts';

const OLD_ENDINGS: readonly (readonly [RegExp, EndedBecause['code']])[] = [
  [/^no job waits for it/, 'no-job'],
  [/^it only says that the service is connected$/, 'connected'],
  [/^handed to the job /, 'jobs'],
  [/^it runs the runbook /, 'runbook'],
  [/^it goes on with its steps/, 'steps'],
  [/^the model is asked$/, 'model'],
  [/^it waits$/, 'waits'],
  [/^the run (?:has gone on|is done)$/, 'run-over'],
  [/^it is a part of /, 'album'],
  [/^its lines go to the job /, 'lines'],
];

/** Why a signal ended. */
export const endingOf = ({
  because,
  stateReason = '',
}: Pick<SignalRecord, 'because' | 'stateReason'>): EndedBecause | undefined => {
  if (because !== undefined) return because;
  const code = OLD_ENDINGS.find(([words]) => words.test(stateReason))?.[1];
  if (code !== 'jobs') return code && { code };
  return { code, jobs: stateReason.slice('handed to the job '.length).split(', ') };
};

type OldCode = readonly [RegExp, Because['code']];

/** Outputs of effects. The words of somebody else are no such sentence. */
const OLD_OUTPUTS: readonly OldCode[] = [
  [/^Kept back until /, 'kept-back'],
  [/^In the digest of /, 'in-digest'],
  [/^Summarised as (?<id>[0-9a-f]{32})\.$/, 'summarised'],
];
const OLD_REASONS: readonly OldCode[] = [
  [/^a person denied it$/, 'denied'],
  [/^stopped before it was performed$/, 'stopped'],
  [/^the person blocked the bot or left/, 'bot-blocked'],
  [/^Telegram refuses the token in TELEGRAM_BOT_TOKEN$/, 'token-refused'],
  [/; send it again later\b/, 'later'],
];

const find = (codes: readonly OldCode[], words: string | undefined): Because | undefined => {
  for (const [pattern, code] of words === undefined ? [] : codes) {
    const found = pattern.exec(words ?? '');
    if (found !== null) return { code, ...found.groups };
  }
  return undefined;
};

type EffectWords = Pick<Effect, 'because' | 'state' | 'output' | 'outputOrigin' | 'reason'>;

/** How an effect stands. */
export const codeOfEffect = ({ because, state, output, outputOrigin, reason }: EffectWords): Because | undefined => {
  if (because !== undefined) return because;
  return state === 'done' ? find(outputOrigin === 'outside' ? [] : OLD_OUTPUTS, output) : find(OLD_REASONS, reason);
};

/** Why a decision was made. */
export const codeOfDecision = ({ because, reason }: Decision): Because | undefined =>
  because ?? find([[/^nobody said anything that could be summarised$/, 'nothing-to-summarise']], reason);

/** Skills or a job denied it, and no policy. */
export const isOffBySkill = ({
  isOffBySkill: isOff,
  policyReason,
}: Pick<Facts, 'isOffBySkill' | 'policyReason'>): boolean =>
  isOff === true ||
  /^(?:which skills are on cannot be read|the (?:skill [a-z0-9-]+|job) (?:is off|does not list it))$/.test(
    policyReason,
  );

/** An ask only says that the action changes who may do what. */
export const saysRights = (ask: { readonly reason: string; readonly changesRights?: boolean | undefined }): boolean =>
  ask.changesRights ?? / changes who may do what$/.test(ask.reason);

/** Data or files are lost by an action that waits. */
export const isDestroying = (approval: {
  readonly reasons: readonly string[];
  readonly destroys?: boolean | undefined;
}): boolean => approval.destroys ?? approval.reasons.some((reason) => /\bdestroys\b/.test(reason));
