/**
 * Shows the newest change of this conversation that can be taken back, and with its code takes it
 * back by the verb whose row says that it does (`undoes`, `restores`), so that its checks and gates
 * judge it. The records that exist tell what was changed: effects of the conversation's signals,
 * commits, settings and grants. A change that something else has overtaken is passed over.
 */
import { createHash } from 'node:crypto';
import { isUsable } from '../../core/approvals/grant.ts';
import { grantIdFor, parseGrant } from '../../core/approvals/grants.ts';
import { JsonObject } from '../../core/base/json.ts';
import { commandNotices } from '../../core/judge/command-notices.ts';
import { loadSettingChanges } from '../../core/ledger/change-owner-setting.ts';
import { parseRecord } from '../../core/ledger/ledger.ts';
import { loadOwnerSettings } from '../../core/ledger/owner-settings.ts';
import type { CommitRecord } from '../../core/memory/commit.ts';
import type { CodeAnswer, CodeContext } from '../../core/operations/code-context.ts';
import { loadHandler, operationsIn } from '../../core/operations/feature.ts';
import type { ChangedNow, LookAtChange } from '../../core/operations/feature-views.ts';
import { change, type Handler } from '../../core/operations/operation.ts';
import { isText } from '../../core/signal/action.ts';
import { READ_ATTACHMENT } from '../../core/signal/attachment.ts';
import { CHANGING_TOOLS, type ChangedRecord } from '../../core/signal/changing-tools.ts';
import type { Decision, Effect, JudgedAction, SeenObject } from '../../core/signal/decision.ts';
import { isRunnerTool } from '../../core/signal/runner-tools.ts';
import type { Signal } from '../../core/signal/signal.ts';
import { grantKey, indexPartitions, mcpKey } from '../../core/store/keys.ts';
import { loadEntries, loadItem } from '../../core/store/load-named.ts';
import { findTool } from '../../core/tools/catalogue.ts';
import { readMcpCatalogue } from '../../core/tools/mcp-catalogue.ts';
import { grantsAdd, revoke } from '../../core/verbs/approvals/operations.ts';
import { loadStoredSignals, type StoredSignal } from '../../core/verbs/signals/stored-signal.ts';
import { revert } from '../notes/operations.ts';
import { loadFormer } from '../skills/load-former.ts';
import { skillAdd } from '../skills/operations.ts';
import { SkillUpload } from '../skills/skill-change.ts';
import { describeFile, versionOf } from '../skills/skill-files.ts';
import { loadActiveSkills } from '../skills/skill-store.ts';
import { FEATURE_VIEWS } from '../views.ts';
import { undo } from './operations.ts';
import { EN, type UndoTexts, undoTexts } from './texts.ts';

/** Newest signals of the space that are looked at. */
const SIGNALS_MAX = 100;
/** Newest commits of memory that are looked at. */
const COMMITS_MAX = 200;
/** Newer actions that are named because nothing takes them back. */
const NEWER_MAX = 3;

/** A verb, or a tool that has none, and its arguments. */
interface Way {
  readonly verb: string;
  readonly args: JsonObject;
}
type Seen = readonly SeenObject[];

interface Done {
  readonly at: number;
  /** In English: the code is made of them, so that it is the same in every chat. */
  readonly words: string;
  /** The same in the language of the chat. */
  readonly shown: string;
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

/** The version that a call put in force. */
const madeBy = (args: JsonObject): string => {
  const { data } = SkillUpload.safeParse(args);
  const files = data?.files.map((file) => ('text' in file ? describeFile(file) : file));
  return files === undefined ? String(args.after) : versionOf(files);
};

const lookAtSkill: LookAtChange = async ({ table, signal: { space } }, { signalId, args }) => {
  const { skills } = await loadActiveSkills(table, space);
  const made = skills.find(({ hash }) => hash === madeBy(args));
  const name = made?.name ?? String(args.name);
  if (made === undefined && skills.some((one) => one.name === name)) return undefined;
  const former = await loadFormer(table, space, signalId, name);
  const state = made === undefined ? 'removed' : 'in force';
  if (former !== undefined) return { state, args: JsonObject.parse(former), by: skillAdd.name };
  return made === undefined ? undefined : { state, args: { name } };
};

const lookAtServer: LookAtChange = async ({ table, signal }, { args: { server } }) => {
  const found = readMcpCatalogue(await loadItem(table, mcpKey(signal.space))).servers.find(
    ({ name }) => name === server,
  );
  return found && { state: found.accepted.length > 0 ? 'accepted' : 'offered', args: { server: found.name } };
};

const LOOKS: Readonly<Partial<Record<ChangedRecord, LookAtChange>>> = {
  skill: lookAtSkill,
  'mcp-server': lookAtServer,
};

const lookOf = (record: ChangedRecord): LookAtChange | undefined =>
  LOOKS[record] ?? FEATURE_VIEWS.flatMap(({ changes }) => changes?.[record] ?? [])[0];

/** The verb whose row names the tool, and its states or its sentence. */
const undoerOf = ({ features }: CodeContext, tool: string) =>
  operationsIn(features).flatMap((one) => {
    const when = one.kind === 'change' ? one.undoes?.[tool] : undefined;
    return when === undefined ? [] : [{ verb: one.name, when }];
  })[0];

/** Without a standing, something has overtaken the change. */
const buildDone = (
  context: CodeContext,
  tool: string,
  { at, words, shown, seen }: Done,
  say: UndoTexts,
  look: () => Promise<ChangedNow | undefined>,
): Done | undefined => {
  const { verb, when = '' } = undoerOf(context, tool) ?? {};
  if (verb === undefined) return undefined;
  if (typeof when === 'string')
    return { at, words: `${words}. ${when}`, shown: `${shown}. ${say.byHand(tool, when)}`, seen };
  const find = async () => {
    const standing = await look();
    return standing !== undefined && when.includes(standing.state)
      ? { verb: standing.by ?? verb, args: standing.args }
      : undefined;
  };
  return { at, words, shown, seen, find };
};

const commitOf = async ({ memory }: CodeContext, signalId: string) => {
  const { number } = await memory.view();
  const commits = await memory.commitsAfter(Math.max(0, number - COMMITS_MAX), COMMITS_MAX);
  return commits.findLast((commit) => commit.signalId === signalId && commit.kind === 'write');
};

const undoMemory = async ({ memory }: CodeContext, made: CommitRecord | undefined): Promise<Way | undefined> => {
  const { objects } = await memory.view();
  const stands = made?.changes.some(({ id, newHash }) => (objects.get(id)?.hash ?? null) === newHash);
  return made !== undefined && stands === true ? { verb: revert.name, args: { commit: made.number } } : undefined;
};

/** Tools that change nothing a person would want back. */
const isHarmless = (tool: string): boolean => {
  const found = findTool(tool);
  return found?.kind === 'read' || found?.isMaintenance === true || tool === READ_ATTACHMENT;
};

/** Tools that change a setting, or what follows from one: its own record is taken back. */
const OF_SETTINGS = [
  ...['change-setting', 'switch-skill-jobs'],
  ...['add-provider', 'add-local-provider', 'order-providers'],
];

const doneBy = async (
  context: CodeContext,
  { id, payload }: Signal,
  { seen = [], forgottenAt }: Pick<Decision, 'seen' | 'forgottenAt'>,
  { action, facts }: JudgedAction,
  { state, settledAt: at = 0 }: Effect,
): Promise<Done | undefined> => {
  const { tool = '', target, author, args = {} } = action;
  const found = findTool(tool);
  const isAnswer = isText(action) && (author === 'code' || facts.at(-1)?.isPlainReply !== false);
  // Settings have records of their own, and a summary is nobody's wish.
  const isOfItself = OF_SETTINGS.includes(tool) || payload.sensor === 'session-summary';
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
  const words = EN.sentence(action);
  const say = await undoTexts.in(context.language);
  const shown = say.sentence(action);
  const look = lookOf(CHANGING_TOOLS[tool]?.[0] ?? 'setting');
  const known =
    args.replaces === undefined
      ? buildDone(context, tool, { at, words, shown, seen }, say, async () =>
          look?.(context, { signalId: id, args, at }),
        )
      : undefined;
  if (known !== undefined) return known;
  if (found?.changesMemory !== true) return { at, words, shown, seen };
  const made = await commitOf(context, id);
  const changed = made?.changes.map((one) => ({ id: one.id, version: one.version })) ?? [];
  return { at, words, shown, seen: [...seen, ...changed], find: () => undoMemory(context, made) };
};

const settingsSet = async (
  { table, signal, features, language }: CodeContext,
  ids: ReadonlySet<string>,
): Promise<readonly Done[]> => {
  const say = await undoTexts.in(language);
  const changes = await loadSettingChanges(table, signal.space, 0);
  const { fields } = await loadOwnerSettings(table, signal.space);
  return changes.flatMap(({ field, value, at, signal: by, version }) => {
    if (!ids.has(by) || fields[field]?.value !== value) return [];
    const before = changes.findLast((one) => one.field === field && one.version < version)?.value ?? '';
    if (before === value) return [];
    const [kind = '', ...name] = field.split('.');
    const way = operationsIn(features).flatMap((one): readonly Way[] => {
      const args = one.kind === 'change' ? one.restores?.({ kind, name: name.join('.'), before, value }) : undefined;
      return args === undefined ? [] : [{ verb: one.name, args }];
    })[0];
    const said = { words: EN.set(field, value), shown: say.set(field, value) };
    return [{ at, ...said, seen: [], ...(way === undefined ? {} : { find: async () => way }) }];
  });
};

/** Grants that these signals made, by a tap or a command, and those that they took back. */
const grantsChanged = async (context: CodeContext, here: readonly StoredSignal[]): Promise<readonly Done[]> => {
  const { table, now, signal } = context;
  const say = await undoTexts.in(context.language);
  const load = async (ids: readonly string[]) =>
    (await table.load(ids.map((id) => grantKey(signal.space, id)))).map((item) => item && parseGrant(item));
  const signals = here.map(({ record }) => record.signal);
  const made = await load(signals.map(({ id }) => grantIdFor(id)));
  const given = made.flatMap((grant): readonly Done[] => {
    if (grant === undefined || grant.forgottenAt !== undefined) return [];
    const standing = { state: isUsable(grant, now) ? 'live' : 'over', args: { grant: grant.id } };
    const words = EN.granted(EN.sentence(grant));
    const done = { at: grant.createdAt, words, shown: say.granted(say.sentence(grant)), seen: [] };
    return [buildDone(context, grantsAdd.name, done, say, async () => standing) ?? done];
  });
  const typed = signals.flatMap(({ payload, receivedAt: at }) =>
    payload.sensor === 'command' && payload.name === revoke.name ? [{ id: payload.rest.trim(), at }] : [],
  );
  const ended = await load(typed.map(({ id }) => id));
  const taken = typed.flatMap(({ id, at }, n): readonly Done[] => {
    if (ended[n]?.state !== 'revoked') return [];
    const done = { at, words: EN.revoked(id), shown: say.revoked(id), seen: [] };
    return [buildDone(context, revoke.name, done, say, async () => undefined) ?? done];
  });
  return [...given, ...taken];
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
  const grants = await grantsChanged(context, here);
  for (const done of [...acted, ...settings, ...grants].sort((a, b) => b.at - a.at)) {
    if (undone.has(codeOf(done))) continue;
    const way = await done.find?.();
    if (way !== undefined) return { newer, last: { ...done, way, code: codeOf(done) } };
    if (done.find === undefined && newer.length < NEWER_MAX) newer.push(done);
  }
  return { newer };
};

const perform = async (context: CodeContext, way: Way): Promise<CodeAnswer> => {
  const operation = operationsIn(context.features).find(({ name, kind }) => name === way.verb && kind === 'change');
  if (operation === undefined) return { call: { tool: way.verb, args: way.args } };
  const handler = await loadHandler(context.features, operation);
  if (!('change' in handler)) throw new Error(`there is no verb ${way.verb}`);
  return handler.change(context, way.args);
};

export const UNDO_HANDLERS: readonly Handler[] = [
  change(undo, async (context, { code }) => {
    const { newer, last } = await findLast(context);
    if (last !== undefined && code === last.code) return perform(context, last.way);
    const notice = commandNotices.undo(
      newer.map(({ shown }) => shown),
      last && { words: last.shown, code: last.code },
      code !== undefined,
    );
    return { notices: [notice], seen: [...newer, ...(last === undefined ? [] : [last])].flatMap(({ seen }) => seen) };
  }),
];
