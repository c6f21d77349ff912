/** Puts added skills in force, takes them away, reads them. @throws ProtocolError in plain words */
import { countOpenCards, describeEndedCards } from '../../core/approvals/open-cards.ts';
import { ProtocolError } from '../../core/base/errors.ts';
import { problemWords } from '../../core/base/file-problem.ts';
import { loadOwnerSettings } from '../../core/ledger/owner-settings.ts';
import { loadSandbox } from '../../core/sandbox/sandbox.ts';
import type { Destination } from '../../core/signal/destination.ts';
import { leavesTool } from '../../core/signal/narrow-tools.ts';
import { SKILL_FOLDER } from '../../core/signal/runner-tools.ts';
import type { Contents } from '../../core/store/contents.ts';
import type { Table } from '../../core/store/table.ts';
import { changeJob } from '../jobs/change-job.ts';
import type { JobState } from '../jobs/job.ts';
import { loadJob } from '../jobs/read-jobs.ts';
import type { ActiveSkill } from './active.ts';
import { BUILT_IN } from './built-in.ts';
import { jobNamesOf, listsOf } from './choose-skill.ts';
import type { SkillEdit } from './edit-skill.ts';
import { builtInHashOf } from './maintenance.ts';
import { registerSkills } from './register.ts';
import { MACHINE_FILE_BYTES_MAX, type SkillFile, type SkillTrust, type VersionFile } from './skill-change.ts';
import type { SkillDefinition, SkillFunction } from './skill-definition.ts';
import {
  bytesOf,
  describeFile,
  EXTENSION_FILE,
  SKILL_FILE,
  type SkillText,
  showHidden,
  versionOf,
} from './skill-files.ts';
import { buildJobs, type Drafted, type HashOf, type JobsChange, madeBy, planJobs, putJobs } from './skill-jobs.ts';
import { isSkillOn } from './skill-on.ts';
import {
  filesOf,
  type KeptPiece,
  keepFile,
  loadActiveSkills,
  loadSkillFile,
  loadVersion,
  putSkill,
  readWholeSkill,
  removeSkill,
  type WholeSkill,
} from './skill-store.ts';
import { SKILLS } from './skills.ts';

interface Switched {
  readonly skill: Drafted;
  readonly trust: SkillTrust;
  readonly isOn: boolean;
  /** Destination of a job that names none. */
  readonly home: Destination | undefined;
  readonly hashOf: HashOf;
}

/** The state that a job is changed to; undefined if it stays. */
const stateAfter = (isOn: boolean, state: JobState | undefined): JobState | undefined => {
  if (!isOn) return state === 'active' ? 'paused' : undefined;
  return state === 'active' || state === 'ended' ? undefined : 'active';
};

/**
 * Off pauses the jobs of a skill, on lets them go on and makes those of a built-in skill that are
 * missing. A repeat changes nothing. @returns a line for each job
 */
const switchJobs = async (
  table: Pick<Table, 'load' | 'transact'>,
  change: JobsChange,
  { skill, trust, isOn, home, hashOf }: Switched,
): Promise<readonly string[]> => {
  const lines: string[] = [];
  for (const definition of buildJobs(skill, trust, { ...change, here: home, hashOf })) {
    const { name } = definition;
    const before = await loadJob(table, change.space, name);
    const state = stateAfter(isOn, before?.state);
    const isNew = before === undefined || before.state === 'removed';
    if (state !== undefined)
      await changeJob(table, change, name, (job = before) => ({
        definition: isNew ? definition : (job?.definition ?? definition),
        state,
        why: isNew ? madeBy(skill.name) : `${isOn ? 'resumed' : 'paused'} with the skill ${skill.name}`,
      }));
    const now = state ?? before?.state;
    if (now !== undefined) lines.push(`Its job ${name} is ${now}.`);
  }
  return lines;
};

/** A file as it is asked for: with its text, or by the hash of a text that was uploaded before. */
type WantedFile = SkillText | VersionFile;

/** A file for a machine, or its next piece. */
export interface KeptBytes {
  readonly base64: string;
  /** Hash of all before it, which was kept before. */
  readonly after?: string | undefined;
}

export interface ReadFile {
  readonly skill: ActiveSkill;
  readonly text: string;
  /** All files of the version. */
  readonly files: readonly VersionFile[];
}

export interface FoundTool {
  readonly skill: ActiveSkill;
  readonly tool: SkillFunction;
  /** Undefined if it cannot be read. */
  readonly code: string | undefined;
}

export interface AddedSkills {
  readonly add: (
    wanted: { readonly files: readonly WantedFile[]; readonly trust: SkillTrust },
    source: Omit<JobsChange, 'space'>,
  ) => Promise<readonly string[]>;
  /** Keeps a file, or its next piece, until a skill is added with it. @returns its SHA-256 */
  readonly keep: (piece: KeptPiece | KeptBytes, now: number) => Promise<string>;
  readonly remove: (name: string, source: Omit<JobsChange, 'space'>) => Promise<readonly string[]>;
  /** Pauses or resumes the jobs of a skill, built in or added. @returns a line for each */
  readonly switchJobs: (name: string, isOn: boolean, source: Omit<JobsChange, 'space'>) => Promise<readonly string[]>;
  /** @param path `SKILL.md` if absent */
  readonly read: (name: string, path?: string) => Promise<ReadFile>;
  /** A tool of a skill that is on. */
  readonly findTool: (name: string, tool: string) => Promise<FoundTool>;
  readonly readAll: (name: string) => Promise<WholeSkill>;
  /** Puts the version in force that a change of one file makes; it keeps the trust. */
  readonly edit: (
    edit: SkillEdit & { readonly before: string; readonly after: string },
    source: Omit<JobsChange, 'space'>,
  ) => Promise<readonly string[]>;
}

type SkillTable = Pick<Table, 'load' | 'put' | 'transact'>;

interface SkillPlace {
  readonly table: SkillTable;
  readonly contents: Store;
}

/** Characters of a hash that tell two versions apart for a person. */
export const HASH_SHOWN_CHARS = 12;

const isMachineFile = (file: WantedFile): file is VersionFile => 'sha256' in file && file.isForMachine === true;

type Store = Contents | undefined;

const NO_STORE = 'this stack has no store of files, so no skill can bring files for a machine';

/** @returns its hash @throws ProtocolError */
const keepBytes = async (contents: Store, { base64, after }: KeptBytes): Promise<string> => {
  if (contents === undefined) throw new ProtocolError(NO_STORE);
  const before = after === undefined ? new Uint8Array() : await contents.load(after);
  if (before === undefined) throw new ProtocolError('the piece before was not uploaded, or is gone');
  const bytes = Buffer.concat([before, Buffer.from(base64, 'base64')]);
  if (bytes.length > MACHINE_FILE_BYTES_MAX)
    throw new ProtocolError(`a file for a machine has at most ${MACHINE_FILE_BYTES_MAX} bytes`);
  return contents.keep(bytes);
};

/** Keeps uploaded bytes as long as the skill. @throws ProtocolError if any are not there */
const takeBytes = async (contents: Store, files: readonly VersionFile[]): Promise<void> => {
  if (contents === undefined && files.length > 0) throw new ProtocolError(NO_STORE);
  for (const { path, sha256, bytes } of files) {
    if ((await contents?.ofSkills.take(sha256)) !== bytes)
      throw new ProtocolError(`the bytes of ${path} were not uploaded, or are gone: add the skill from its folder`);
  }
};

/** Erases files for a machine that no skill in force names. @param gone a skill that will go */
const eraseBytes = async (
  { table, contents }: SkillPlace,
  space: string,
  files: readonly WantedFile[],
  gone?: string,
): Promise<void> => {
  const mine = files.filter(isMachineFile);
  if (mine.length === 0 || contents === undefined) return;
  const inForce = (await loadActiveSkills(table, space)).skills.filter(({ name }) => name !== gone);
  const named = await Promise.all(inForce.map(({ name, hash }) => loadVersion(table, space, name, hash)));
  const hashes = new Set(named.flat().map(({ sha256 }) => sha256));
  for (const { sha256 } of mine) if (!hashes.has(sha256)) await contents.ofSkills.erase(sha256);
};

const textsOf = (table: SkillTable, space: string, files: readonly WantedFile[]): Promise<SkillText[]> =>
  Promise.all(
    files.map(async (file) => {
      if ('text' in file) return file;
      const text = await loadSkillFile(table, space, file.sha256);
      if (text === undefined || Buffer.byteLength(text) !== file.bytes)
        throw new ProtocolError(`the text of ${file.path} was not uploaded, or is gone`);
      return { path: file.path, text };
    }),
  );

/** Remarks for a person about a version that has just come into force. */
const remarksOn = (skill: ActiveSkill, skills: readonly ActiveSkill[]): readonly string[] => {
  const { definition } = skill;
  const { off } = registerSkills(skills, () => true);
  const why = off.find(({ name }) => name === skill.name)?.why;
  const lists = listsOf(definition);
  const tools = SKILLS.flatMap((one) => one.tools).filter((tool) => leavesTool(lists, tool));
  const jobs = jobNamesOf(definition);
  return [
    ...(why === undefined ? [] : [`It takes no part: ${why}.`]),
    ...(lists.length > 0
      ? [`While its text is shown, only these tools are offered: ${tools.join(', ') || 'none'}.`]
      : []),
    ...(jobs.length === 0 ? [] : [`Its jobs: ${jobs.join(', ')}.`]),
  ];
};

const findActive = async (table: SkillTable, space: string, name: string): Promise<ActiveSkill | undefined> =>
  (await loadActiveSkills(table, space)).skills.find((one) => one.name === name);

const gatesOf = (skill: ActiveSkill | undefined): string =>
  JSON.stringify((skill?.definition.gates ?? []).map(({ name, file }) => [name, skill?.files[file]]));

/** The cards that other gates ended: each was asked for under the rules of before. */
const sayEnded = async (
  table: SkillTable,
  { space, now }: JobsChange,
  before: ActiveSkill | undefined,
  after: ActiveSkill | undefined,
): Promise<readonly string[]> => {
  const name = (before ?? after)?.name ?? '';
  const isSame = gatesOf(before) === gatesOf(after);
  if (isSame || !isSkillOn(name, await loadOwnerSettings(table, space))) return [];
  return describeEndedCards(await countOpenCards(table, space, now));
};

const remove = async (place: SkillPlace, source: JobsChange, name: string): Promise<readonly string[]> => {
  const { table } = place;
  if (SKILLS.some((skill) => skill.name === name))
    throw new ProtocolError(`${name} is built in: /skill off ${name} switches it off`);
  const before = await findActive(table, source.space, name);
  if (before === undefined) throw new ProtocolError('there is no added skill of this name');
  await putJobs(table, source, name, [], jobNamesOf(before.definition));
  // Before the skill goes: a repeat finds it, and erases what is left.
  await eraseBytes(place, source.space, await loadVersion(table, source.space, name, before.hash), name);
  await removeSkill(table, source, name);
  const ended = await sayEnded(table, source, before, undefined);
  return [`${name} is gone. Its versions are kept as evidence.`, ...ended];
};

/** @throws ProtocolError if no card showed an address, or another skill has the name */
const checkTargets = (
  { name, targets = [], places = [] }: SkillDefinition,
  wanted: readonly WantedFile[],
  inForce: readonly ActiveSkill[],
): void => {
  if (targets.length + places.length > 0 && wanted.some((file) => file.path === EXTENSION_FILE && !('text' in file)))
    throw new ProtocolError(
      `no card showed the addresses of its webhooks and places: send ${EXTENSION_FILE} with its text`,
    );
  for (const target of targets) {
    const other = inForce.find(
      (one) => one.name !== name && one.definition.targets?.some((its) => its.name === target.name),
    );
    if (other !== undefined)
      throw new ProtocolError(
        `the skill ${other.name} has a webhook ${target.name} already: give this one another name`,
      );
  }
  for (const place of places) {
    const other = inForce.find(
      (one) => one.name !== name && one.definition.places?.some((its) => its.name === place.name),
    );
    if (other !== undefined)
      throw new ProtocolError(`the skill ${other.name} has a place ${place.name} already: give this one another name`);
  }
};

const add = async (
  place: SkillPlace,
  { files: wanted, trust }: Parameters<AddedSkills['add']>[0],
  source: JobsChange,
): Promise<readonly string[]> => {
  const { table, contents } = place;
  const machineFiles = wanted.filter(isMachineFile);
  const files = await textsOf(
    table,
    source.space,
    wanted.filter((file) => !isMachineFile(file)),
  );
  const { parseSkill } = await loadParser();
  const parsed = parseSkill(files, await loadSandbox(), machineFiles);
  if (parsed.kind === 'problems') {
    const problems = parsed.problems.map(problemWords).join('; ');
    throw new ProtocolError(`the version before stays, because this one does not load: ${problems}`);
  }
  const { definition } = parsed;
  if (definition.isOff === true) throw new ProtocolError('isOff is for built-in skills: leave it out, then /skill off');
  if (SKILLS.some(({ name }) => name === definition.name))
    throw new ProtocolError(`there is a built-in skill ${definition.name}: give this one another name`);
  const { skills: inForce } = await loadActiveSkills(table, source.space);
  checkTargets(definition, wanted, inForce);
  await takeBytes(contents, machineFiles);
  const before = inForce.find(({ name }) => name === definition.name);
  const own = before === undefined ? [] : jobNamesOf(before.definition);
  const sizes: readonly SkillFile[] = [...files.map(describeFile), ...machineFiles];
  const hashOf = (path: string) => sizes.find((file) => file.path === path)?.sha256;
  const jobs = await planJobs(table, source, definition, trust, own, hashOf);
  // Jobs come first: a repeat still finds the version before, and with it the jobs to remove.
  const isSameAsBefore = before?.hash === versionOf(sizes) && before.trust === trust;
  if (!isSameAsBefore) await putJobs(table, source, definition.name, jobs, own);
  const { skill, isSame } = await putSkill(table, source, { definition, files, machineFiles, trust });
  const { skills } = await loadActiveSkills(table, source.space);
  if (before !== undefined && !isSame)
    await eraseBytes(place, source.space, await loadVersion(table, source.space, before.name, before.hash));
  const what = `${skill.name} ${skill.hash.slice(0, HASH_SHOWN_CHARS)}`;
  return [
    `${what} is in force${isSame ? ' as before' : ''}: trust ${trust}, ${sizes.length} files, ${bytesOf(sizes)} bytes.`,
    ...remarksOn(skill, skills),
    ...(await sayEnded(table, source, before, skill)),
  ];
};

/** Of a version that does not come into force nothing stays. */
const addOrErase = async (
  place: SkillPlace,
  wanted: Parameters<AddedSkills['add']>[0],
  source: JobsChange,
): Promise<readonly string[]> => {
  try {
    return await add(place, wanted, source);
  } catch (error) {
    await eraseBytes(place, source.space, wanted.files);
    throw error;
  }
};

const switchOne = async (
  table: SkillTable,
  source: JobsChange,
  home: Destination | undefined,
  name: string,
  isOn: boolean,
): Promise<readonly string[]> => {
  const builtIn = BUILT_IN.find(({ definition }) => definition.name === name)?.definition;
  const added = builtIn === undefined ? await findActive(table, source.space, name) : undefined;
  const skill = builtIn ?? added?.definition;
  if (skill === undefined) throw new ProtocolError('there is no skill of this name');
  const hashOf = builtIn === undefined ? (file: string) => added?.files[file] : builtInHashOf(name);
  return switchJobs(table, source, { skill, trust: added?.trust ?? 'owner', isOn, home, hashOf });
};

/** The words that the model gets in place of bytes. */
const describeMachineFile = (skill: string, { path, sha256, bytes }: SkillFile): string =>
  `${path} is a file for a machine: ${bytes} bytes, SHA-256 ${sha256}. Nobody can read it here. A command of the tool shell that gives skill: "${skill}" finds it as ${SKILL_FOLDER}/${path}.`;

const read = async (table: SkillTable, space: string, name: string, path = SKILL_FILE): Promise<ReadFile> => {
  const { skill, files } = await filesOf(table, space, name);
  const file = files.find((one) => one.path === path);
  if (file?.isForMachine === true) return { skill, text: describeMachineFile(name, file), files };
  const text = file && (await loadSkillFile(table, space, file.sha256));
  if (text === undefined)
    throw new ProtocolError(`the skill has no such file; it has ${files.map((file) => file.path).join(', ')}`);
  return { skill, text: showHidden(text), files };
};

const findTool = async (table: SkillTable, space: string, name: string, called: string): Promise<FoundTool> => {
  const skill = await findActive(table, space, name);
  if (skill === undefined || !isSkillOn(name, await loadOwnerSettings(table, space)))
    throw new ProtocolError(`there is no added skill ${name}, or it is off`);
  const tools = (skill.definition.functions ?? []).filter(({ gives }) => gives === 'tool');
  const tool = tools.find((one) => one.name === called);
  if (tool === undefined)
    throw new ProtocolError(`the skill has no such tool; it has ${tools.map((one) => one.name).join(', ') || 'none'}`);
  return { skill, tool, code: await loadSkillFile(table, space, skill.files[tool.file] ?? '') };
};

const edit = async (
  place: SkillPlace,
  wanted: Parameters<AddedSkills['edit']>[0],
  source: JobsChange,
): Promise<readonly string[]> => {
  const { skill, files, machineFiles } = await readWholeSkill(place.table, source.space, wanted.skill);
  // A repeat finds the version that it made.
  const isMade = skill.hash === wanted.after;
  if (!isMade && skill.hash !== wanted.before)
    throw new ProtocolError(`the skill ${wanted.skill} was changed since this was asked; ask for it again`);
  const { applyEdit } = await loadParser();
  const edited = isMade
    ? { kind: 'edited' as const, files, hash: wanted.after }
    : applyEdit(files, wanted, machineFiles);
  if (edited.kind === 'problem' || edited.hash !== wanted.after)
    throw new ProtocolError('the change does not make the version that was approved');
  const others = machineFiles.map((file): VersionFile => ({ ...file, isForMachine: true }));
  return add(place, { files: [...edited.files, ...others], trust: skill.trust }, source);
};

const loadParser = () => import('./edit-skill.ts');

/**
 * @param home destination of results that nobody asked for
 * @param contents keeps files for machines; without it no skill can bring any
 */
export const buildAddedSkills = (
  table: SkillTable,
  space: string,
  home: Destination | undefined = undefined,
  contents: Contents | undefined = undefined,
): AddedSkills => ({
  add: (wanted, source) => addOrErase({ table, contents }, wanted, { ...source, space }),
  keep: (piece, now) => ('base64' in piece ? keepBytes(contents, piece) : keepFile(table, space, piece, now)),
  remove: (name, source) => remove({ table, contents }, { ...source, space }, name),
  switchJobs: (name, isOn, source) => switchOne(table, { ...source, space }, home, name, isOn),
  read: (name, path) => read(table, space, name, path),
  findTool: (name, tool) => findTool(table, space, name, tool),
  readAll: (name) => readWholeSkill(table, space, name),
  edit: (wanted, source) => edit({ table, contents }, wanted, { ...source, space }),
});
