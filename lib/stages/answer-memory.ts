/**
 * Answers a person's questions about memory by reads alone: `recall`, `memory`, `snapshots`,
 * `diff`, `audit`. Each answer names the object versions it shows. A question that does not fit
 * (there is no such object, no such snapshot) is a ProtocolError in words for the person.
 */
import { defined } from '../base/defined.ts';
import { ProtocolError } from '../base/errors.ts';
import { MEMORY_QUERY_CHARS_MAX, MEMORY_RESULTS_MAX } from '../base/limits.ts';
import type { LogPlaces } from '../log/find-commit-leaves.ts';
import type { AuditVersion } from '../memory/history.ts';
import type { MemoryReads } from '../memory/memory.ts';
import type { LiveObject, MemoryObject } from '../memory/object.ts';
import { childrenOf, visibleOf } from '../memory/outline.ts';
import type { MemoryView } from '../memory/read.ts';
import { buildInScope, type Viewpoint } from '../memory/scope.ts';
import type { SeenObject } from '../signal/decision.ts';
import {
  differenceLine,
  fitLines,
  foundLines,
  objectLines,
  shortId,
  shownTime,
  titleLine,
  versionLine,
} from './memory-lines.ts';

const objectsWord = (count: number): string => `${count} ${count === 1 ? 'object' : 'objects'}`;

const MEMORY_ID_START_CHARS_MIN = 6;
/** One chat message, with no more lines than a person reads. */
const MEMORY_CHAT_CHARS_MAX = 3_400;
const MEMORY_CHAT_LINES_MAX = 40;
/** Text shown of each found object. */
const MEMORY_FOUND_CHARS_MAX = 240;

export interface MemoryQuestion {
  readonly memory: MemoryReads;
  /** Finds commits in the evidence log. */
  readonly findLeaves: (commits: readonly number[]) => Promise<LogPlaces>;
  /** Such an object is left out, with all below it. */
  readonly isHidden: (object: LiveObject) => boolean;
  /** The conversation that asks; without it, only what is found everywhere. */
  readonly viewpoint?: Viewpoint | undefined;
  /** The words after the command, trimmed. */
  readonly rest: string;
}

export interface MemoryAnswer {
  readonly lines: readonly string[];
  readonly seen: readonly SeenObject[];
  /** The same for a script. */
  readonly data: unknown;
}

const seenOf = (objects: readonly MemoryObject[]): readonly SeenObject[] =>
  objects.map(({ id, version }) => ({ id, version }));

/** As many as one message shows. */
export const boundedLines = (lines: readonly string[]): readonly string[] =>
  fitLines(lines, MEMORY_CHAT_CHARS_MAX, MEMORY_CHAT_LINES_MAX);

/** An object as a script gets it, without nonce and hashes of the content. */
export const objectData = (object: MemoryObject): object => {
  const { id, type, scope, origin, version, state, hash, updatedAt, bySignal } = object;
  const about = { id, type, scope, origin, version, state, hash, updatedAt, bySignal };
  if (object.state !== 'live') return about;
  return { ...about, attributes: object.attributes, content: object.content };
};

/** The visible objects of a view. Of forgotten ones only the id is left. */
const visibleIn = (view: MemoryView, { isHidden }: MemoryQuestion): ReadonlyMap<string, MemoryObject> => {
  const shown = visibleOf(view.objects, isHidden);
  const forgotten = [...view.objects.values()].filter(({ state }) => state === 'forgotten');
  return new Map([...shown, ...forgotten].map((object) => [object.id, object]));
};

/** @throws ProtocolError unless exactly one visible object's id starts so */
export const findObject = async (question: MemoryQuestion): Promise<MemoryObject> => {
  const start = question.rest.toLowerCase();
  if (!/^[0-9a-f]{1,32}$/.test(start) || start.length < MEMORY_ID_START_CHARS_MIN)
    throw new ProtocolError(
      `name an object by its id, or by its first ${MEMORY_ID_START_CHARS_MIN} characters or more`,
    );
  const objects = visibleIn(await question.memory.view(), question);
  const found = [...objects.values()].filter(({ id }) => id.startsWith(start));
  const [only] = found;
  if (only === undefined) throw new ProtocolError(`memory has no object ${start}`);
  if (found.length > 1) throw new ProtocolError(`${found.length} objects begin with ${start}: write more of the id`);
  return only;
};

const recall = async (question: MemoryQuestion): Promise<MemoryAnswer> => {
  const query = question.rest.slice(0, MEMORY_QUERY_CHARS_MAX);
  if (query === '') throw new ProtocolError('/recall needs words to look for');
  const inScope = buildInScope((await question.memory.view()).objects, question.viewpoint ?? {});
  const isHidden = (object: LiveObject): boolean => !inScope(object) || question.isHidden(object);
  const found = await question.memory.recall({ query, limit: MEMORY_RESULTS_MAX, isHidden });
  const lines = found.flatMap((object) => foundLines(object, MEMORY_FOUND_CHARS_MAX));
  return {
    lines: found.length === 0 ? ['Nothing in memory has any of these words.'] : boundedLines(lines),
    seen: seenOf(found),
    data: { objects: found.map(objectData) },
  };
};

const LEVELS_SHOWN = 3;

interface OutlineEntry {
  readonly object: LiveObject;
  readonly level: number;
}

const outlineOf = (view: MemoryView, roots: readonly LiveObject[], visible: ReadonlyMap<string, MemoryObject>) => {
  const entries: OutlineEntry[] = [];
  const walk = (object: LiveObject, level: number): void => {
    entries.push({ object, level });
    if (level + 1 >= LEVELS_SHOWN) return;
    for (const child of childrenOf(view.objects, object))
      if (child.state === 'live' && visible.has(child.id)) walk(child, level + 1);
  };
  for (const root of roots) walk(root, 0);
  return entries;
};

const outlineLine = ({ object, level }: OutlineEntry): string => `${'  '.repeat(level)}${titleLine(object)}`;

const rootsFirst = (a: LiveObject, b: LiveObject): number => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1);

const memory = async (question: MemoryQuestion): Promise<MemoryAnswer> => {
  const view = await question.memory.view();
  const visible = visibleIn(view, question);
  const live = [...visible.values()].filter((object): object is LiveObject => object.state === 'live');
  if (question.rest === '') {
    const entries = outlineOf(view, live.filter(({ parentId }) => parentId === undefined).sort(rootsFirst), visible);
    const shown = entries.slice(0, MEMORY_CHAT_LINES_MAX).map(({ object }) => object);
    const about = `${objectsWord(live.length)}, commit ${view.number}${view.isPartial ? ' (memory is larger than can be shown)' : ''}`;
    return {
      lines: live.length === 0 ? ['Nothing is remembered yet.'] : [about, ...boundedLines(entries.map(outlineLine))],
      seen: seenOf(shown),
      data: { commit: view.number, objects: entries.map(({ object, level }) => ({ level, ...objectData(object) })) },
    };
  }
  const object = await findObject(question);
  const below = object.state === 'live' ? outlineOf(view, [object], visible).slice(1) : [];
  const lines = [...objectLines(object, MEMORY_CHAT_CHARS_MAX / 2), ...below.map(outlineLine)];
  return {
    lines: boundedLines(lines),
    seen: seenOf([object, ...below.map((entry) => entry.object)]),
    data: {
      object: objectData(object),
      below: below.map((entry) => ({ level: entry.level, ...objectData(entry.object) })),
    },
  };
};

const snapshots = async ({ memory: reads }: MemoryQuestion): Promise<MemoryAnswer> => {
  const all = [...(await reads.snapshots())].sort((a, b) => b.number - a.number || (a.name < b.name ? -1 : 1));
  const { number } = await reads.head();
  const lines = all.map((one) => `${one.name}  commit ${one.number}  ${shownTime(one.at)} UTC`);
  return {
    lines: [
      ...(lines.length === 0 ? ['There are no snapshots.'] : boundedLines(lines)),
      `Memory is at commit ${number}.`,
    ],
    seen: [],
    data: { commit: number, snapshots: all.map(({ name, number: commit, hash, at }) => ({ name, commit, hash, at })) },
  };
};

/** `a b`, or `a .. b` if a name has spaces. */
const parseEnds = (rest: string): readonly [string, string] => {
  const parts = rest.includes('..') ? rest.split('..') : rest.split(/\s+/u);
  const [from = '', to = ''] = parts.map((part) => part.trim());
  if (parts.length !== 2 || from === '' || to === '')
    throw new ProtocolError('/diff needs two snapshots or commit numbers: /diff <a> <b>');
  return [from, to];
};

const diff = async (question: MemoryQuestion): Promise<MemoryAnswer> => {
  const [a, b] = parseEnds(question.rest);
  const from = await question.memory.resolve(a);
  const to = await question.memory.resolve(b);
  const visible = visibleIn(await question.memory.view(), question);
  const isShown = ({
    id,
    before,
    after,
  }: {
    id: string;
    before?: MemoryObject | undefined;
    after?: MemoryObject | undefined;
  }) => visible.has(id) || [before, after].every((one) => one?.state !== 'live' || !question.isHidden(one));
  const found = (await question.memory.diff(from, to)).filter(isShown);
  const head = `From commit ${from} to ${to}: ${objectsWord(found.length)} changed.`;
  return {
    lines: [head, ...boundedLines(found.map(differenceLine))],
    seen: seenOf(found.flatMap(({ before, after }) => [before, after].filter((one) => one !== undefined))),
    data: {
      from,
      to,
      differences: found.map(({ id, before, after }) => ({
        id,
        before: before === undefined ? null : objectData(before),
        after: after === undefined ? null : objectData(after),
      })),
    },
  };
};

const isLogged = ({ commit }: AuditVersion, { lastCommit }: LogPlaces): boolean => commit > 0 && commit <= lastCommit;

/** Says where the commit of a version stands in the evidence log. */
const placeOf = (version: AuditVersion, log: LogPlaces): string => {
  if (!isLogged(version, log)) return 'not in the log yet';
  const leaf = log.leaves.get(version.commit);
  return leaf === undefined ? 'in the log' : `leaf ${leaf}`;
};

const logLine = ({ size, checkpointSize, problem }: LogPlaces): string =>
  problem === undefined
    ? `evidence log: ${size} leaves, the newest checkpoint signs ${checkpointSize}; the proof: npx passepartout evidence export`
    : `WRONG: ${problem}`;

const audit = async (question: MemoryQuestion): Promise<MemoryAnswer> => {
  const { id } = await findObject(question);
  const found = await question.memory.audit(id);
  if (found === undefined) throw new ProtocolError(`memory has no object ${shortId(id)}`);
  const about = [
    `${found.id}  ${found.type}, ${found.scope}, ${found.state}`,
    `hash ${found.hash}`,
    ...(found.parentId === undefined ? [] : [`below ${found.parentId}`]),
  ];
  const log = await question.findLeaves(found.versions.map(({ commit }) => commit));
  const lines = boundedLines(found.versions.map((version) => `${versionLine(version)}  ${placeOf(version, log)}`));
  const { size, checkpointSize, lastCommit, problem } = log;
  const data = {
    ...found,
    versions: found.versions.map((version) => {
      const leaf = log.leaves.get(version.commit);
      return { ...version, isLogged: isLogged(version, log), ...defined({ leaf }) };
    }),
    log: { size, checkpointSize, lastCommit, ...defined({ problem }) },
  };
  return { lines: [...about, ...lines, logLine(log)], seen: [], data };
};

const ANSWERS: Readonly<Record<string, (question: MemoryQuestion) => Promise<MemoryAnswer>>> = {
  recall,
  memory,
  snapshots,
  diff,
  audit,
};

/** Commands that only look. */
export const isMemoryQuestion = (name: string): boolean => Object.hasOwn(ANSWERS, name);

/** @throws ProtocolError in words for the person */
export const answerMemory = async (name: string, question: MemoryQuestion): Promise<MemoryAnswer> => {
  const answer = Object.hasOwn(ANSWERS, name) ? ANSWERS[name] : undefined;
  if (answer === undefined) throw new ProtocolError(`there is no command /${name} for memory`);
  return answer(question);
};
