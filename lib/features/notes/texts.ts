/** The answers about memory in English, the typed source. What a note says comes as it is. Pure. */
import { textTable } from '../../core/base/language.ts';
import type { DifferenceWord } from './memory-lines.ts';

const objects = (count: number): string => `${count} ${count === 1 ? 'object' : 'objects'}`;

/** Objects in a line each. */
const LINES = {
  untitled: 'Untitled',
  outside: '(outside)',
  scope: (scope: string): string => scope,
  origin: (origin: string): string => origin,
  type: (type: string): string => type,
  state: (state: string): string => state,
  about: (type: string, scope: string, origin: string, version: number, time: string) =>
    `${type}, ${scope}, from ${origin}, version ${version}, ${time} UTC`,
  difference: (word: DifferenceWord): string => word,
  version: (version: number, commit: number, when: string | undefined, what: string, who: string) =>
    `version ${version}  commit ${commit}  ${when === undefined ? 'before commits' : `${when} UTC`}  ${what}${who}`,
  by: (actor: string) => ` by ${actor}`,
  saidBy: (signal: string) => `, said by ${signal}`,
  forgottenSince: ', forgotten since',
  more: (count: number) => `… ${count} more`,
};

const LOOKS = {
  nothingFound: 'Nothing in memory has any of these words.',
  objects: (count: number, commit: number, isPartial: boolean) =>
    `${objects(count)}, commit ${commit}${isPartial ? ' (memory is larger than can be shown)' : ''}`,
  empty: 'Nothing is remembered yet.',
  snapshot: (name: string, commit: number, time: string) => `${name}  commit ${commit}  ${time} UTC`,
  noSnapshots: 'There are no snapshots.',
  atCommit: (commit: number) => `Memory is at commit ${commit}.`,
  twoEnds: 'give two snapshots or commit numbers',
  changed: (from: number, to: number, count: number) => `From commit ${from} to ${to}: ${objects(count)} changed.`,
  log: (size: number, signed: number) =>
    `evidence log: ${size} leaves, the newest checkpoint signs ${signed}; the proof: npx passepartout evidence export --out evidence.jsonl`,
  noObject: (id: string) => `memory has no object ${id}`,
  hash: (hash: string) => `hash ${hash}`,
  below: (id: string) => `below ${id}`,
  isLogged: (isLogged: boolean): string => (isLogged ? 'in the log' : 'not in the log yet'),
  nameByStart: (chars: number) => `name an object by its id, or by its first ${chars} characters or more`,
  severalBegin: (count: number, start: string) => `${count} objects begin with ${start}: write more of the id`,
  noProject: 'there is no active project of that name; /project list names them',
  noneToFocus: 'name an object by its id, or an active project by its title',
  severalProjects: (count: number, ids: string) => `that names ${count} projects: ${ids}; use an id`,
};

const SCOPES = {
  memex: 'What is kept here is found everywhere (scope memex).',
  session: 'What is kept here is found in this conversation only (scope session).',
  project: 'What is kept here goes below a project, and is found while that project is in focus (scope project)',
} as const;

/** Why a note and its file differ. */
const DOUBTS = {
  differs: 'changed there and in memory. Both versions are kept. Which one counts?',
  'gone-from-memory': 'left memory, and its file has newer words. Shall it come back, or leave the file too?',
  'gone-from-file': 'left its file, and memory has newer words. Shall it leave memory too, or come back to the file?',
  forgotten: 'was forgotten, and its file still has it. Shall it leave the file, or be remembered again?',
} as const;

export const EN = {
  ...LINES,
  ...LOOKS,
  notInGroup: '/memory open and /memory ask are said in a group; /memory close takes the id of one too',
  mostGroups: (most: number) => `${most} groups were named already`,
  group: (chat: string, as: 'open' | 'ask', by: string, time: string) => `${chat}: ${as} (${by}, ${time} UTC)`,
  noGroups: 'No group is named for memory. In a group, an approver can send /memory open or /memory ask.',
  closeGroup: 'To take one back: /memory close <chat>.',
  mostTags: (count: number, most: number) => `there are ${count} tags, and a note has at most ${most}`,
  scopeOf: (scope: keyof typeof SCOPES): string => SCOPES[scope],
  noProjects: 'There are no active projects: /project new <title>',
  noProjectInFocus: 'no project is in focus here; /project list names them, /focus <id> looks at one',
  noFocus: 'Nothing is in focus here.',
  focus: (id: string) => `In focus: ${id}`,
  focusEnded: 'Nothing is in focus here any more.',
  focusSet: (title: string) => `In focus here: ${title}`,
  focusForgotten: (id: string) => `the object ${id} was forgotten`,
  unknownTree: 'That tree has no form I know; nothing was changed.',
  unchangedSince: (commit: number) => `nothing has changed since commit ${commit}`,
  noCommit: (commit: number) => `memory has no commit ${commit}`,
  staysForgotten: 'what was forgotten cannot be brought back',
  doubt: (why: keyof typeof DOUBTS, title: string, file: string) =>
    `The note ${title} of the file ${file} ${DOUBTS[why]}`,
  keepHere: (id: string) =>
    `Here: /edit ${id} property sync-keep file lets the file count, /edit ${id} property sync-keep memory lets memory count.`,
  keepThere: (code: string) =>
    `Where the folder is: npx passepartout notes keep <folder> ${code} file, or memory at the end.`,
};
export type NoteTexts = typeof EN;

export const noteTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
