/**
 * Commands that change single notes: `/remember`, `/edit`, `/project`, `/scope`. A change of memory
 * is one call of a tool, because only Act writes memory (I2). `/scope` changes the head of the
 * conversation alone.
 */
import { defined } from '../../../base/defined.ts';
import { ProtocolError } from '../../../base/errors.ts';
import { JsonObject } from '../../../base/json.ts';
import { MEMORY_TAGS_MAX } from '../../../base/limits.ts';
import { commandNotices } from '../../../judge/command-notices.ts';
import { loadHead } from '../../../ledger/session-controls.ts';
import { chosenScopeOf } from '../../../memory/chosen-scope.ts';
import { editableNote, NO_PARENT } from '../../../memory/plan-edit.ts';
import { PROJECT_DONE } from '../../../memory/project.ts';
import type { Objects } from '../../../memory/read.ts';
import { projectsAbove } from '../../../memory/scope.ts';
import { type CodeAnswer, type CodeContext, type Command, say } from '../../../operations/code-context.ts';
import { absent, anyOf, below, type Condition } from '../../../store/condition.ts';
import { sessionKey } from '../../../store/keys.ts';
import { updateIf } from '../../../store/update-if.ts';
import { splitHashTags } from '../../../text/hash-tags.ts';
import { boundedLines, findObject } from '../../answer-memory.ts';
import { activeProjects, findProject } from '../../find-project.ts';
import { shortId, titleLine } from '../../memory-lines.ts';
import { buildQuestion, inWords } from './memory-commands.ts';
import { EDIT_USAGE, parseEdit } from './parse-edit.ts';

const taggedWords = (rest: string): { readonly text: string; readonly tags?: readonly string[] } => {
  const { text, tags } = splitHashTags(rest);
  if (tags.length > MEMORY_TAGS_MAX)
    throw new ProtocolError(`there are ${tags.length} tags, and a note has at most ${MEMORY_TAGS_MAX}`);
  return tags.length === 0 ? { text } : { text, tags };
};

export const remember: Command = (_, rest) =>
  inWords(async () => {
    const args = taggedWords(rest);
    if (args.text === '') return say(commandNotices.usage('/remember <what to keep> [#tag …]'));
    return { call: { tool: 'remember', args: JsonObject.parse(args) } };
  });

/** Ids of memory may be shortened: the note itself, and its new parent. */
export const edit: Command = (context, rest) =>
  inWords(async () => {
    const [, start = '', words = ''] = /^(\S+)\s*([\s\S]*)$/.exec(rest) ?? [];
    if (start === '' || words === '') return say(commandNotices.usage(EDIT_USAGE));
    const found = await findObject(buildQuestion(context, start));
    const object = editableNote(found, found.id);
    const change = parseEdit(object, words);
    if (change === undefined) return say(commandNotices.usage(EDIT_USAGE));
    const { parent } = change;
    const named =
      parent === undefined || parent === NO_PARENT ? parent : (await findObject(buildQuestion(context, parent))).id;
    const args = { id: object.id, ...change, ...(named === undefined ? {} : { parent: named }) };
    const seen = [{ id: object.id, version: object.version }];
    return { call: { tool: 'edit-memory', args: JsonObject.parse(args), seen } };
  });

const PROJECT_USAGE = '/project new <title> [#tag …], /project done <title or id>, /project list';

const loadObjects = async ({ memory }: CodeContext): Promise<Objects> => (await memory.view()).objects;

const listProjects = async (context: CodeContext): Promise<CodeAnswer> => {
  const { isHidden } = buildQuestion(context, '');
  const active = activeProjects(await loadObjects(context), isHidden);
  const lines = active.length === 0 ? ['There are no active projects: /project new <title>'] : active.map(titleLine);
  return {
    notices: [commandNotices.memory(boundedLines(lines))],
    seen: active.map(({ id, version }) => ({ id, version })),
  };
};

export const project: Command = (context, rest) =>
  inWords(async () => {
    const [, verb = 'list', words = ''] = /^(\S+)\s*([\s\S]*)$/.exec(rest) ?? [];
    if (verb.toLowerCase() === 'list' && words === '') return listProjects(context);
    if (words === '') return say(commandNotices.usage(PROJECT_USAGE));
    switch (verb.toLowerCase()) {
      case 'new': {
        const { text, ...more } = taggedWords(words);
        const title = text.replace(/\s+/gu, ' ').trim();
        if (title === '') return say(commandNotices.usage(PROJECT_USAGE));
        return { call: { tool: 'start-project', args: JsonObject.parse({ title, ...more }) } };
      }
      case 'done': {
        const { id, version } = findProject(await loadObjects(context), buildQuestion(context, '').isHidden, words);
        return { call: { tool: 'edit-memory', args: { id, state: PROJECT_DONE }, seen: [{ id, version }] } };
      }
      default:
        return say(commandNotices.usage(PROJECT_USAGE));
    }
  });

const SCOPE_USAGE = '/scope, /scope memex, /scope session, /scope project (of the focus)';

const saveScope = async ({ table, signal }: CodeContext, scope?: string, scopeProject?: string): Promise<void> => {
  const { space, session, receivedAt: at } = signal;
  const isLater: Condition = { name: 'no later scope is set', holds: anyOf(absent('scopeAt'), below('scopeAt', at)) };
  const fields = { scope, scopeProject };
  const set = { schemaVersion: 1, scopeAt: at, ...defined(fields) };
  const remove = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [name] : []));
  const change = remove.length === 0 ? { set } : { set, remove };
  await updateIf(table, sessionKey(space, session), { ...change, setOnce: { startedAt: at } }, isLater);
};

const IN_MEMEX = 'What is kept here is found everywhere (scope memex).';
const IN_SESSION = 'What is kept here is found in this conversation only (scope session).';
const IN_PROJECT =
  'What is kept here goes below a project, and is found while that project is in focus (scope project)';

const sayScope = async (context: CodeContext): Promise<CodeAnswer> => {
  const chosen = chosenScopeOf(await loadHead(context.table, context.signal));
  if (chosen?.scope !== 'project') return say(commandNotices.memory([chosen === undefined ? IN_MEMEX : IN_SESSION]));
  const found = (await loadObjects(context)).get(chosen.project);
  const name = found?.state === 'live' ? titleLine(found) : shortId(chosen.project);
  return say(commandNotices.memory([`${IN_PROJECT}: ${name}`]));
};

export const scope: Command = (context, rest) =>
  inWords(async () => {
    switch (rest.toLowerCase()) {
      case '':
        return sayScope(context);
      case 'memex':
        await saveScope(context);
        return say(commandNotices.memory([IN_MEMEX]));
      case 'session':
        await saveScope(context, 'session');
        return say(commandNotices.memory([IN_SESSION]));
      case 'project': {
        const focus = (await loadHead(context.table, context.signal))?.focus;
        const [id] = focus === undefined ? [] : projectsAbove(await loadObjects(context), focus);
        if (id === undefined)
          throw new ProtocolError('no project is in focus here; /project list names them, /focus <id> looks at one');
        await saveScope(context, 'project', id);
        return sayScope(context);
      }
      default:
        return say(commandNotices.usage(SCOPE_USAGE));
    }
  });
