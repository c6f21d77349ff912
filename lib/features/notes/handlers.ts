/**
 * The answers to the verbs of memory. A change of memory is one call of a tool, because only Act
 * writes memory (I2); scope and focus change the head of the conversation alone.
 */
import { defined } from '../../core/base/defined.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { JsonObject } from '../../core/base/json.ts';
import { MEMORY_PLAN_LINES_MAX, MEMORY_TAGS_MAX } from '../../core/base/limits.ts';
import { isoMinute } from '../../core/base/utc-minute.ts';
import { commandNotices } from '../../core/judge/command-notices.ts';
import { changeOwnerSetting } from '../../core/ledger/change-owner-setting.ts';
import { loadOwnerSettings, memoryField, namedChats } from '../../core/ledger/owner-settings.ts';
import { loadHead } from '../../core/ledger/session-controls.ts';
import { quickCheck } from '../../core/log/quick-check.ts';
import { chosenScopeOf } from '../../core/memory/chosen-scope.ts';
import { editableNote, NO_PARENT } from '../../core/memory/plan-edit.ts';
import { PROJECT_DONE } from '../../core/memory/project.ts';
import type { Objects } from '../../core/memory/read.ts';
import { projectsAbove } from '../../core/memory/scope.ts';
import { say as answer, type CodeAnswer, type CodeContext, hiderOf } from '../../core/operations/code-context.ts';
import { change, type Handler, type LookContext, look } from '../../core/operations/operation.ts';
import { UsageError, usageOf } from '../../core/operations/read-words.ts';
import { chatOf, chatRoute, homeRoute, isChat, isGroup, MAIN_CONSOLE } from '../../core/signal/channels.ts';
import { absent, anyOf, below, type Condition } from '../../core/store/condition.ts';
import { sessionKey } from '../../core/store/keys.ts';
import { updateIf } from '../../core/store/update-if.ts';
import { splitHashTags } from '../../core/text/hash-tags.ts';
import { quoted } from '../../core/text/quoted.ts';
import { defang } from '../../core/text/tappable.ts';
import { findObject } from './find-object.ts';
import { activeProjects, findProject } from './find-project.ts';
import {
  boundedLines,
  lookAtChanges,
  lookAtMemory,
  lookAtNote,
  lookAtSnapshots,
  lookAtVersions,
  lookForWords,
  objectData,
} from './look-into-memory.ts';
import { rollbackLine, shortId, titleLine } from './memory-lines.ts';
import { changeFocus } from './memory-update.ts';
import {
  audit,
  diff,
  edit,
  focusSet,
  focusShow,
  memory,
  memoryAsk,
  memoryChats,
  memoryClose,
  memoryOpen,
  notesAsk,
  projectDone,
  projectList,
  projectNew,
  recall,
  remember,
  revert,
  rollback,
  scopeSet,
  scopeShow,
  snapshot,
  snapshots,
} from './operations.ts';
import { parseEdit } from './parse-edit.ts';
import { type NoteTexts, noteTexts } from './texts.ts';

/** Groups that may be named for memory: each is a field of a record that every turn reads. */
const MEMORY_CHATS_MAX = 50;

/** @param named another group than that of the chat. @throws ProtocolError */
const groupOf = async ({ signal: { reply }, language }: CodeContext, named?: string): Promise<string> => {
  const chat = named ?? (isGroup(reply) ? chatOf(reply) : '');
  if (isChat(chat) && isGroup(chatRoute(chat))) return chat;
  throw new ProtocolError((await noteTexts.in(language)).notInGroup);
};

const nameGroup = async (context: CodeContext, as: 'open' | 'ask'): Promise<CodeAnswer> => {
  const { table, signal } = context;
  const chat = await groupOf(context);
  const { fields } = await loadOwnerSettings(table, signal.space);
  const before = Object.keys(fields).filter((field) => field.startsWith(memoryField('')));
  if (!before.includes(memoryField(chat)) && before.length >= MEMORY_CHATS_MAX)
    throw new ProtocolError((await noteTexts.in(context.language)).mostGroups(MEMORY_CHATS_MAX));
  const changed = await changeOwnerSetting(table, signal, memoryField(chat), as);
  return answer(commandNotices.chatNamed(namedChats(changed).find((one) => one.chat === chat)?.as ?? 'closed'));
};

const NAMING_HANDLERS: readonly Handler[] = [
  change(memoryOpen, (context) => nameGroup(context, 'open')),
  change(memoryAsk, (context) => nameGroup(context, 'ask')),
  change(memoryClose, async (context, { chat: named }) => {
    const { table, signal } = context;
    const chat = await groupOf(context, named);
    const chats = namedChats(await loadOwnerSettings(table, signal.space));
    if (chats.some((one) => one.chat === chat)) await changeOwnerSetting(table, signal, memoryField(chat), '');
    return answer(commandNotices.chatNamed('closed'));
  }),
  look(memoryChats, async ({ table, space, language }) => {
    const say = await noteTexts.in(language);
    const chats = namedChats(await loadOwnerSettings(table, space));
    const lines = chats.map(({ chat, as, by, at }) => say.group(chat, as, by, isoMinute(at)));
    return {
      data: { chats: chats.map(({ chat, as, by, at }) => ({ chat, as, by, at })) },
      lines: lines.length === 0 ? [say.noGroups] : [...lines, say.closeGroup],
    };
  }),
];

const taggedWords = async (
  { language }: CodeContext,
  words: string,
): Promise<{ readonly text: string; readonly tags?: readonly string[] }> => {
  const { text, tags } = splitHashTags(words);
  if (tags.length > MEMORY_TAGS_MAX)
    throw new ProtocolError((await noteTexts.in(language)).mostTags(tags.length, MEMORY_TAGS_MAX));
  return tags.length === 0 ? { text } : { text, tags };
};

const loadObjects = async ({ memory: reads }: CodeContext): Promise<Objects> => (await reads.view()).objects;

const saveScope = async ({ table, signal }: CodeContext, scope?: string, scopeProject?: string): Promise<void> => {
  const { space, session, receivedAt: at } = signal;
  const isLater: Condition = { name: 'no later scope is set', holds: anyOf(absent('scopeAt'), below('scopeAt', at)) };
  const fields = { scope, scopeProject };
  const set = { schemaVersion: 1, scopeAt: at, ...defined(fields) };
  const remove = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [name] : []));
  const changed = remove.length === 0 ? { set } : { set, remove };
  await updateIf(table, sessionKey(space, session), { ...changed, setOnce: { startedAt: at } }, isLater);
};

/** @param project its id */
const projectLine = (objects: Objects, project: string, say: NoteTexts): string => {
  const found = objects.get(project);
  return `${say.scopeOf('project')}: ${found?.state === 'live' ? titleLine(found, say) : shortId(project)}`;
};

const showScope = async ({ table, space, session, loadMemory, language }: LookContext) => {
  const say = await noteTexts.in(language);
  const chosen = chosenScopeOf(await loadHead(table, { space, session }));
  if (chosen?.scope === 'project') {
    const { objects } = await (await loadMemory()).view();
    return { data: { scope: 'project', project: chosen.project }, lines: [projectLine(objects, chosen.project, say)] };
  }
  const scope = chosen === undefined ? 'memex' : 'session';
  return { data: { scope }, lines: [say.scopeOf(scope)] };
};

export const NOTE_HANDLERS: readonly Handler[] = [
  ...NAMING_HANDLERS,
  change(remember, async (context, { text }) => {
    const args = await taggedWords(context, text);
    if (args.text === '') throw new UsageError(usageOf(remember));
    return { call: { tool: 'remember', args: JsonObject.parse(args) } };
  }),
  // Ids of memory may be shortened: the note itself, and its new parent.
  change(edit, async (context, { id, changes }) => {
    const objects = await loadObjects(context);
    const say = await noteTexts.in(context.language);
    const find = (start: string) => findObject(objects, hiderOf(context), start, say);
    const found = find(id);
    const object = editableNote(found, found.id);
    const read = parseEdit(object, changes);
    if (read === undefined) throw new UsageError(usageOf(edit));
    const { parent } = read;
    const named = parent === undefined || parent === NO_PARENT ? parent : find(parent).id;
    const args = { id: object.id, ...read, ...defined({ parent: named }) };
    const seen = [{ id: object.id, version: object.version }];
    return { call: { tool: 'edit-memory', args: JsonObject.parse(args), seen } };
  }),
  look(projectList, async ({ loadMemory, isHidden, language }) => {
    const say = await noteTexts.in(language);
    const active = activeProjects((await (await loadMemory()).view()).objects, isHidden);
    const lines = active.length === 0 ? [say.noProjects] : active.map((one) => titleLine(one, say));
    const seen = active.map(({ id, version }) => ({ id, version }));
    return { data: { projects: active.map(objectData) }, lines: boundedLines(lines, say), seen };
  }),
  change(projectNew, async (context, { title: words }) => {
    const { text, ...more } = await taggedWords(context, words);
    const title = text.replace(/\s+/gu, ' ').trim();
    if (title === '') throw new UsageError(usageOf(projectNew));
    return { call: { tool: 'start-project', args: JsonObject.parse({ title, ...more }) } };
  }),
  change(projectDone, async (context, { project }) => {
    const say = await noteTexts.in(context.language);
    const { id, version } = findProject(await loadObjects(context), hiderOf(context), project, say);
    return { call: { tool: 'edit-memory', args: { id, state: PROJECT_DONE }, seen: [{ id, version }] } };
  }),
  look(scopeShow, showScope),
  change(scopeSet, async (context, { scope }) => {
    const say = await noteTexts.in(context.language);
    if (scope !== 'project') {
      await saveScope(context, scope === 'memex' ? undefined : scope);
      return answer(commandNotices.memory([say.scopeOf(scope)]));
    }
    const focused = (await loadHead(context.table, context.signal))?.focus;
    const objects = await loadObjects(context);
    const [project] = focused === undefined ? [] : projectsAbove(objects, focused);
    if (project === undefined) throw new ProtocolError(say.noProjectInFocus);
    await saveScope(context, 'project', project);
    return answer(commandNotices.memory([projectLine(objects, project, say)]));
  }),
  look(focusShow, async ({ table, space, session, language }) => {
    const say = await noteTexts.in(language);
    const focused = (await loadHead(table, { space, session }))?.focus;
    const line = focused === undefined ? say.noFocus : say.focus(shortId(focused));
    return { data: defined({ focus: focused }), lines: [line] };
  }),
  change(focusSet, (context, { object }) => changeFocus(context, object)),
  look(recall, (context, { words }) => lookForWords(context, words)),
  look(memory, (context, { id }) => (id === undefined ? lookAtMemory(context) : lookAtNote(context, id))),
  look(audit, async (context, { id }) =>
    id === 'verify' ? { data: {}, lines: await quickCheck(context.table, context.space) } : lookAtVersions(context, id),
  ),
  look(snapshots, lookAtSnapshots),
  change(snapshot, (_, { name }) => ({ call: { tool: 'snapshot', args: defined({ name }) } })),
  look(diff, lookAtChanges),
  // Works out what would change before anybody is asked, so that the approval's card shows it. Act
  // refuses the plan if memory has moved on from the commit it names.
  change(rollback, async ({ memory: reads, language }, { to }) => {
    const { target, head, lines } = await reads.planRollback(to);
    if (lines.every(({ what }) => what === 'stays-forgotten'))
      throw new ProtocolError((await noteTexts.in(language)).unchangedSince(target));
    const shown = lines.slice(0, MEMORY_PLAN_LINES_MAX);
    const left = lines.length - shown.length;
    const changes = [...shown.map(rollbackLine), ...(left > 0 ? [`… ${left} more`] : [])];
    const { objects } = await reads.view();
    const seen = shown.map(({ id }) => ({ id, version: objects.get(id)?.version ?? 0 }));
    return { call: { tool: 'rollback', args: { to: target, head, changes }, seen } };
  }),
  // Changes of others since stay.
  change(revert, async ({ memory: reads, language }, { commit }) => {
    const say = await noteTexts.in(language);
    const [record] = await reads.commitsAfter(commit - 1, 1);
    if (record === undefined) throw new ProtocolError(say.noCommit(commit));
    if (record.kind === 'forget') throw new ProtocolError(say.staysForgotten);
    return { call: { tool: 'revert', args: { signal: record.signalId, commit } } };
  }),
  change(notesAsk, async ({ homeChat, language }, { why, file, title, code, note }) => {
    const say = await noteTexts.in(language);
    const [name, about] = [defang(quoted(file)), defang(quoted(title))];
    // Only a note that memory still has can carry the answer.
    const answers = note === undefined || why === 'forgotten' ? [] : [say.keepHere(shortId(note))];
    const notice = commandNotices.memory([say.doubt(why, about, name), ...answers, say.keepThere(code)]);
    return answer({ ...notice, route: homeRoute(homeChat) ?? MAIN_CONSOLE });
  }),
];
