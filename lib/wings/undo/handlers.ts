/**
 * Shows the newest change of this conversation that can be taken back, and with its code takes it
 * back by the verb that a person would type, so that its checks and gates judge it. The records
 * that exist tell what was changed: effects of the conversation's signals, commits of memory and
 * changes of settings. A change that something else has overtaken is passed over.
 */
import { createHash } from 'node:crypto';
import { JsonObject } from '../../base/json.ts';
import { JobDefinition, type JobState } from '../../jobs/job.ts';
import { loadJob } from '../../jobs/read-jobs.ts';
import { commandNotices } from '../../judge/command-notices.ts';
import { loadSettingChanges } from '../../ledger/change-owner-setting.ts';
import { parseRecord } from '../../ledger/ledger.ts';
import { loadOwnerSettings } from '../../ledger/owner-settings.ts';
import type { CommitRecord } from '../../memory/commit.ts';
import type { CodeAnswer, CodeContext } from '../../operations/code-context.ts';
import { change, type Handler } from '../../operations/operation.ts';
import { loadHandler, operationsIn } from '../../operations/wing.ts';
import { type Action, isText } from '../../signal/action.ts';
import { READ_ATTACHMENT } from '../../signal/attachment.ts';
import type { Decision, Effect, JudgedAction, SeenObject } from '../../signal/decision.ts';
import { isRunnerTool } from '../../signal/runner-tools.ts';
import type { Signal } from '../../signal/signal.ts';
import { indexPartitions } from '../../store/keys.ts';
import { loadEntries } from '../../store/load-named.ts';
import { USUAL_LANGUAGE } from '../../text/language.ts';
import { actionSentence } from '../../tools/action-sentence.ts';
import { findTool } from '../../tools/catalogue.ts';
import { loadStoredSignals, type StoredSignal } from '../signals/stored-signal.ts';
import { undo } from './operations.ts';

/** Newest signals of the space that are looked at. */
const SIGNALS_MAX = 100;
/** Newest commits of memory that are looked at. */
const COMMITS_MAX = 200;
/** Newer actions that are named because nothing takes them back. */
const NEWER_MAX = 3;

/** The verb and its arguments, or one call of a tool. */
type Way = { readonly verb: string; readonly args: JsonObject } | Extract<CodeAnswer, { call: unknown }>;
type Seen = readonly SeenObject[];

interface Done {
  readonly at: number;
  readonly words: string;
  /** Objects that the words may tell of: who forgets them, erases this answer too. */
  readonly seen: Seen;
  /** Absent if nothing takes it back; undefined if something has overtaken it. */
  readonly find?: () => Promise<Way | undefined>;
}

/** The newest signals of the conversation. */
const loadHere = async (context: CodeContext): Promise<readonly StoredSignal[]> => {
  const { table, signal } = context;
  const partition = indexPartitions.feed(signal.space);
  const page = await table.queryIndex({ index: 'feed', partition, limit: SIGNALS_MAX, isDescending: true });
  const records = (await loadEntries(table, page.items)).map((item) => parseRecord(String(item.pk), item));
  const ids = records
    .map((record) => record.signal)
    .filter(({ id, session }) => session === signal.session && id !== signal.id)
    .map(({ id }) => id);
  return loadStoredSignals(table, signal.space, ids);
};

/** The code of a change that was taken back; empty if it was only shown, or was refused. */
const undoneBy = ({ record, decision, effects }: StoredSignal): string | undefined => {
  const { payload } = record.signal;
  if (payload.sensor !== 'command' || payload.name !== undo.name) return undefined;
  const isShown = decision?.actions.some(({ action }) => action.template === 'undo') === true;
  return isShown || effects.some(({ state }) => state === 'refused' || state === 'failed') ? '' : payload.rest.trim();
};

/** The state that each verb leaves a job in, and the verb that undoes it. */
const JOB_VERBS: Readonly<Record<string, { readonly leaves: readonly JobState[]; readonly verb?: string }>> = {
  'schedule-job': { leaves: ['active', 'paused'], verb: 'jobs remove' },
  'pause-job': { leaves: ['paused'], verb: 'jobs resume' },
  'resume-job': { leaves: ['active'], verb: 'jobs pause' },
  'remove-job': { leaves: ['removed'] },
};

const undoJob = async ({ table, signal }: CodeContext, { tool = '', args = {} }: Action): Promise<Way | undefined> => {
  const { leaves = [], verb } = JOB_VERBS[tool] ?? {};
  const job = await loadJob(table, signal.space, String(args.name));
  if (job === undefined || !leaves.includes(job.state)) return undefined;
  if (verb !== undefined) return { verb, args: { name: job.name } };
  return { call: { tool: 'schedule-job', args: JsonObject.parse(JobDefinition.parse(job.definition)) } };
};

const commitOf = async ({ memory }: CodeContext, signalId: string) => {
  const { number } = await memory.view();
  const commits = await memory.commitsAfter(Math.max(0, number - COMMITS_MAX), COMMITS_MAX);
  return commits.findLast((commit) => commit.signalId === signalId && commit.kind === 'write');
};

const undoMemory = async ({ memory }: CodeContext, made: CommitRecord | undefined): Promise<Way | undefined> => {
  const { objects } = await memory.view();
  const stands = made?.changes.some(({ id, newHash }) => (objects.get(id)?.hash ?? null) === newHash);
  return made !== undefined && stands === true ? { verb: 'revert', args: { commit: made.number } } : undefined;
};

/** Tools that change nothing a person would want back. */
const isHarmless = (tool: string): boolean => {
  const found = findTool(tool);
  return found?.kind === 'read' || found?.isMaintenance === true || tool === READ_ATTACHMENT;
};

const doneBy = async (
  context: CodeContext,
  { id, payload }: Signal,
  { seen = [], forgottenAt }: Pick<Decision, 'seen' | 'forgottenAt'>,
  { action, facts }: JudgedAction,
  { state, settledAt: at = 0 }: Effect,
): Promise<Done | undefined> => {
  const { tool = '', target, author } = action;
  const isAnswer = isText(action) && (author === 'code' || facts.at(-1)?.isPlainReply !== false);
  // Settings have records of their own, and a summary is nobody's wish.
  const isOfItself = tool === 'change-setting' || payload.sensor === 'session-summary';
  const isPast = state === 'done' || state === 'unknown';
  // Of a forgotten action no words are left, and nothing to take back.
  const isForgotten = forgottenAt !== undefined;
  if (
    !isPast ||
    isForgotten ||
    isAnswer ||
    isOfItself ||
    (target === 'tool' && !isRunnerTool(tool) && isHarmless(tool))
  )
    return undefined;
  const words = actionSentence(action);
  if (Object.hasOwn(JOB_VERBS, tool) && action.args?.replaces === undefined)
    return { at, words, seen, find: () => undoJob(context, action) };
  if (findTool(tool)?.changesMemory !== true || tool === 'forget') return { at, words, seen };
  const made = await commitOf(context, id);
  const changed = made?.changes.map((one) => ({ id: one.id, version: one.version })) ?? [];
  return { at, words, seen: [...seen, ...changed], find: () => undoMemory(context, made) };
};

/** The verb that gives a setting the value it had. */
const undoSetting = (field: string, before: string, value: string): Way | undefined => {
  const [kind = '', ...rest] = field.split('.');
  const name = rest.join('.');
  switch (kind) {
    case 'config':
      return before === ''
        ? { verb: 'config reset', args: { name } }
        : { verb: 'config set', args: { name, value: before } };
    case 'identity':
      return before === ''
        ? { verb: 'identity reset', args: { field: name } }
        : { verb: `identity ${name}`, args: { text: before } };
    case 'chat':
      return before === ''
        ? { verb: 'chats unname', args: { name } }
        : { verb: 'chats name', args: { chat: before, name } };
    case 'hook':
      return before === ''
        ? { verb: 'hooks unsubscribe', args: { target: name } }
        : { verb: 'hooks subscribe', args: { target: name, news: before } };
    case 'skill':
      // Before it was switched first, it was the other.
      return rest[1] === 'is' && rest[0] !== undefined
        ? {
            verb: (before || (value === 'on' ? 'off' : 'on')) === 'on' ? 'skill on' : 'skill off',
            args: { name: rest[0] },
          }
        : undefined;
    case 'mute':
      return { verb: 'chats mute', args: { chat: name, hours: before === '' ? 'off' : before } };
    case 'listen':
      return { verb: 'chats listen', args: { state: before === '' ? 'mentions' : before, chat: name } };
    case 'language':
      return { verb: 'language', args: { language: before || USUAL_LANGUAGE } };
    default:
      return undefined;
  }
};

const settingsSet = async ({ table, signal }: CodeContext, ids: ReadonlySet<string>): Promise<readonly Done[]> => {
  const changes = await loadSettingChanges(table, signal.space, 0);
  const { fields } = await loadOwnerSettings(table, signal.space);
  return changes.flatMap(({ field, value, at, signal: by, version }) => {
    if (!ids.has(by) || fields[field]?.value !== value) return [];
    const before = changes.findLast((one) => one.field === field && one.version < version)?.value ?? '';
    if (before === value) return [];
    const way = undoSetting(field, before, value);
    const words = `Set ${field} to ${value === '' ? 'nothing' : `“${value}”`}`;
    return [{ at, words, seen: [], ...(way === undefined ? {} : { find: async () => way }) }];
  });
};

const codeOf = ({ at, words }: Done): string => createHash('sha256').update(`${at} ${words}`).digest('hex').slice(0, 6);

/** The newest that can be taken back, and all after it that cannot. */
const findLast = async (context: CodeContext) => {
  const all = await loadHere(context);
  const undone = new Set(all.map(undoneBy));
  const here = all.filter((one) => undoneBy(one) === undefined);
  const acted: Done[] = [];
  for (const { record, decision, effects } of here)
    for (const effect of effects) {
      const judged = decision?.actions[effect.n];
      const done = decision && judged && (await doneBy(context, record.signal, decision, judged, effect));
      if (done !== undefined) acted.push(done);
    }
  const settings = await settingsSet(context, new Set(here.map(({ record }) => record.signal.id)));
  const newer: Done[] = [];
  for (const done of [...acted, ...settings].sort((a, b) => b.at - a.at)) {
    if (undone.has(codeOf(done))) continue;
    const way = await done.find?.();
    if (way !== undefined) return { newer, last: { ...done, way, code: codeOf(done) } };
    if (done.find === undefined && newer.length < NEWER_MAX) newer.push(done);
  }
  return { newer };
};

const perform = async (context: CodeContext, way: Way): Promise<CodeAnswer> => {
  if ('call' in way) return way;
  const operation = operationsIn(context.wings).find(({ name }) => name === way.verb);
  const handler = operation && (await loadHandler(context.wings, operation));
  if (handler === undefined || !('change' in handler)) throw new Error(`there is no verb ${way.verb}`);
  return handler.change(context, way.args);
};

export const UNDO_HANDLERS: readonly Handler[] = [
  change(undo, async (context, { code }) => {
    const { newer, last } = await findLast(context);
    if (last !== undefined && code === last.code) return perform(context, last.way);
    const notice = commandNotices.undo(
      newer.map(({ words }) => words),
      last,
      code !== undefined,
    );
    return { notices: [notice], seen: [...newer, ...(last === undefined ? [] : [last])].flatMap(({ seen }) => seen) };
  }),
];
