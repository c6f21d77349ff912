/** Deterministic ids: the same fact from outside always becomes the same signal. */
import { createHash } from 'node:crypto';

const SAFE = /^[A-Za-z0-9_.:-]{1,48}$/;

/** Short and plain ids of others are kept, all others hashed: no id carries hostile bytes. */
const plain = (foreign: string): string =>
  SAFE.test(foreign) ? foreign : createHash('sha256').update(foreign).digest('hex').slice(0, 40);

export const telegramSignalId = (botId: string, updateId: number): string => `tg-${plain(botId)}-${updateId}`;
/** It began with something that a person did in Telegram. */
export const isTelegramId = (id: string): boolean => id.startsWith('tg-');
/** Signals of updates that came shortly before or after, as far as there are any. */
export const neighboursOf = (id: string, reach: number): readonly string[] => {
  const [, before = '', n = ''] = /^(tg-.+-)(\d{1,15})$/.exec(id) ?? [];
  const numbers = Array.from({ length: n === '' ? 0 : 2 * reach + 1 }, (_, at) => Number(n) + at - reach);
  return numbers.filter((one) => one >= 0 && one !== Number(n)).map((one) => `${before}${one}`);
};
/** A source has no colon, so two senders never make the same id. */
export const webhookSignalId = (source: string, webhookId: string): string =>
  `wh-${plain(source).slice(0, 30)}:${plain(webhookId)}`;
/** @param key the client's idempotency key, or 128 random bits */
export const consoleSignalId = (key: string): string => `con-${plain(key)}`;
/** A command that the command line sends: nobody wrote it in the conversation it belongs to. */
const COMMAND_LINE_PREFIX = 'cli-';
export const commandLineSignalId = (key: string): string => `${COMMAND_LINE_PREFIX}${plain(key)}`;
export const isCommandLineId = (id: string): boolean => id.startsWith(COMMAND_LINE_PREFIX);

const SUMMARY_PREFIX = 'sum-';
/** A summary of a conversation up to a turn. @param tries counts from 0 */
export const summarySignalId = (session: string, lastRoot: string, tries = 0): string => {
  const named = `${session}\n${lastRoot}${tries === 0 ? '' : `\n${tries}`}`;
  return `${SUMMARY_PREFIX}${createHash('sha256').update(named).digest('hex').slice(0, 40)}`;
};
/** In place of the number of tries: a choice was tapped. */
export const CHOICE_TAP = -1;

/** A turn that the tap of a button begins. A second tap of the button makes the same id. */
export const tappedTurnId = (kind: 'again' | 'choice', about: string): string =>
  `tg-${kind}-${createHash('sha256').update(about).digest('hex').slice(0, 20)}`;

/** The turn or command of a choice: its words are those that the question offered. */
export const isChoiceId = (id: string): boolean => id.startsWith('tg-choice-');

export const isSummaryId = (id: string): boolean => id.startsWith(SUMMARY_PREFIX);

const KEPT_PREFIX = 'kept-';
/** A text that is kept back; those of one signal keep their order. */
export const keptBackId = (signalId: string, n: number): string =>
  `${KEPT_PREFIX}${createHash('sha256').update(signalId).digest('hex').slice(0, 40)}-${n}`;
export const isKeptBackId = (id: string): boolean => id.startsWith(KEPT_PREFIX);

const DIGEST_ID_PREFIX = 'news-';
/** A text of a digest. @param digest its sort key, which names hour, source and place */
export const digestSignalId = (digest: string, edition: number): string =>
  `${DIGEST_ID_PREFIX}${digest.replace(/^digest#0*/, '').replace('#', '-')}-${edition}`;
export const isDigestId = (id: string): boolean => id.startsWith(DIGEST_ID_PREFIX);
/** The job or service that a digest is of; undefined for other ids, and if its name is too long. */
export const digestSourceOf = (id: string): string | undefined => /^news-\d+-[0-9a-f]+\.([^/]+)-\d+$/.exec(id)?.[1];

/** Parts below a root's id, as `signal.ts` reads them: the deepest signal and a notice about it. */
const PARTS_MAX = 12;
/** A part has no more characters. */
const PART_CHARS_MAX = 12;

/**
 * The n-th child of a signal: `<parent>/<n>`. A notice about the deepest notice would be too deep:
 * it hangs below the root, named by a hash. So each id that is made here can be read again.
 */
export const childId = (parent: string, n: number | string): string => {
  const id = `${parent}/${n}`;
  if (id.split('/').length <= PARTS_MAX + 1) return id;
  return `${rootOf(id)}/${createHash('sha256').update(id).digest('hex').slice(0, PART_CHARS_MAX)}`;
};

/** A run of a job, or of a helper: its row stands beside the signal (`job-run.ts`). */
export const isRunId = (id: string): boolean => id.startsWith('job-') || isTaskId(id);

/** The turn of a helper. */
export const isTaskId = (id: string): boolean => id.startsWith('task-');

/** A run of a runbook that a tool started: named after the effect that did. */
export const runbookRunId = (effectId: string): string =>
  `run-${createHash('sha256').update(effectId).digest('hex').slice(0, 12)}`;

/** The n-th step of a run, and the question to the model that a step may ask. */
export const stepSuffix = (n: number): string => `s${n}`;
export const QUESTION_SUFFIX = 'q';
/** Number of the step that the signal performs; undefined if it performs none. */
export const stepOf = (id: string): number | undefined => {
  const [, n] = /^[^/]+\/s(\d{1,4})(?:\/q)?$/.exec(id) ?? [];
  return n === undefined ? undefined : Number(n);
};

/** A step that code performs, as an approver's file says: no model said why. */
export const isStepId = (id: string): boolean => stepOf(id) !== undefined && !id.endsWith(`/${QUESTION_SUFFIX}`);

/** The child of a signal that failed: it is tried again with other words, in place of its own. */
export const OTHER_WORDS = 'w';

/** Ids from the root down to `id`: `a`, `a/1`, `a/1/1`. */
export const chainOf = (id: string): readonly string[] => {
  const parts = id.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
};

/** The signal and the action's number of `<signal>#<n>`. */
export const partsOfOrderId = (id: string): { readonly signalId: string; readonly n: number } => {
  const at = id.lastIndexOf('#');
  return { signalId: id.slice(0, at), n: Number(id.slice(at + 1)) };
};

/** Parts of an effect's id, `<space>/<signal>#<n>`: a space has no slash. `id` has no space. */
export const partsOfEffectId = (effectId: string) => {
  const id = effectId.slice(effectId.indexOf('/') + 1);
  return { id, ...partsOfOrderId(id) };
};

/** The signal a turn began with. */
export const rootOf = (id: string): string => id.split('/')[0] ?? id;

/** Holds signal and step, so that no two steps of a signal swallow each other. */
export const deduplicationId = (signalId: string, step: string): string =>
  createHash('sha256').update(`${signalId}\n${step}`).digest('hex');
/** One conversation in a space. SQS allows 128 characters. */
export const messageGroupId = (space: string, session: string): string => `${space}/${session}`;

/** Template of the choice that stands under its question instead of the buttons. */
export const CHOSEN = 'chosen';

/** Templates of texts by code that may end with a question. */
export const CODE_QUESTIONS: readonly string[] = ['new-event', 'paired', 'why', 'job-paused'];

/** A text may not have arrived. This child of its signal names it, and fits a button. */
export const MAY_BE_LOST = 'may-be-lost';

/** Template of a reply that is said again, in a voice note. */
export const VOICE_NOTE = 'voice-note';

/** Template of a call that tells a webhook one piece of news. */
export const CARRIES_NEWS = 'news';

/** Template of a webhook's call with a text that a person typed. No gate lets a person call one. */
export const TYPED_TEXT = 'typed-text';
interface Authored {
  readonly author: string;
  readonly template?: string | undefined;
}

/** Whether a person typed it: the rights, rules and stops of that person's commands hold. */
export const isTyped = ({ author, template }: Authored): boolean =>
  author === 'owner' || (author === 'code' && template === TYPED_TEXT);

/** Whether code says it of its own accord. */
export const isOfCode = (action: Authored): boolean => action.author === 'code' && !isTyped(action);

/** Ends the id of a notice with a button: action `n` of its parent, after so many tries. */
export const doubtSuffix = (n: number, tries: number): string => `again-${n}-${tries}`;

/** The action that such a notice is about; undefined for other ids. */
export const doubtedBy = (
  id: string,
): { readonly signalId: string; readonly n: number; readonly tries: number } | undefined => {
  const [, signalId, n, tries] = /^([A-Za-z0-9_.:/-]+)\/again-(\d+)-(\d+)$/.exec(id) ?? [];
  return signalId === undefined ? undefined : { signalId, n: Number(n), tries: Number(tries) };
};
