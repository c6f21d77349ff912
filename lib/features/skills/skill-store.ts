/**
 * Keeps added skills: immutable versions and files by their hashes, one record of those in force,
 * and each change beside the signal that made it, all in one conditional write. A version that does
 * not load changes nothing. Only Act writes here, after an approver's yes (I14).
 */
import * as z from 'zod/mini';
import { ProtocolError, RetryLaterError, StoredItemError } from '../../core/base/errors.ts';
import { DAY_MS, KIB, RETRY_BACKOFF_MS, SECOND_MS } from '../../core/base/limits.ts';
import { equals, IS_NEW } from '../../core/store/condition.ts';
import { newDataWrite } from '../../core/store/data-version.ts';
import { skillKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { parseStored } from '../../core/store/parse-stored.ts';
import { putOnce } from '../../core/store/put-once.ts';
import type { LoadTable, Table, Write } from '../../core/store/table.ts';
import { wasWritten } from '../../core/store/update-if.ts';
import { type ActiveSkill, type ActiveSkills, readActiveSkills } from './active.ts';
import {
  SKILL_FILE_BYTES_MAX,
  type SkillChange,
  SkillFile,
  type SkillTrust,
  type VersionFile,
} from './skill-change.ts';
import type { SkillDefinition } from './skill-definition.ts';
import { describeFile, SKILL_FILE, type SkillText, sha256Of, versionOf } from './skill-files.ts';

/** Each is a line of every prompt, and a person has to keep track of them. */
export const ADDED_SKILLS_MAX = 24;
/** The record of the skills in force: every turn reads it. */
const ACTIVE_SKILLS_CHARS_MAX = 96 * KIB;
/** An uploaded file that no version names: a person has a week to add the skill. */
const UPLOAD_RETENTION_MS = 7 * DAY_MS;
/** Tries of a change that meets other changes. */
const SKILL_CHANGE_TRIES_MAX = 5;

type SkillTable = Pick<Table, 'load' | 'transact'>;

/** @throws StoredItemError if this release cannot read the record */
export const loadActiveSkills = async (table: LoadTable, space: string): Promise<ActiveSkills> => {
  const active = readActiveSkills(await loadItem(table, skillKeys.active(space)));
  if (active === undefined) throw new StoredItemError('active skills', 'they are not of a form this release knows');
  return active;
};

/** The text of a file; undefined if it is not there, or is not what its hash says. */
export const loadSkillFile = async (table: LoadTable, space: string, sha256: string): Promise<string | undefined> => {
  const text = (await loadItem(table, skillKeys.file(space, sha256)))?.text;
  return typeof text === 'string' && sha256Of(text) === sha256 ? text : undefined;
};

/**
 * Keeps a file until a version names it; one that is there stays as it is. @returns its hash
 * @param after hash of its beginning, which was kept before
 * @throws ProtocolError if that is gone, or the whole is too large
 */
export const keepFile = async (
  table: Pick<Table, 'load' | 'put'>,
  space: string,
  { text: piece, after }: KeptPiece,
  now: number,
): Promise<string> => {
  const before = after === undefined ? '' : await loadSkillFile(table, space, after);
  if (before === undefined) throw new ProtocolError('the piece before was not uploaded, or is gone');
  const text = before + piece;
  if (Buffer.byteLength(text) > SKILL_FILE_BYTES_MAX)
    throw new ProtocolError(`a file of a skill has at most ${SKILL_FILE_BYTES_MAX} bytes`);
  const sha256 = sha256Of(text);
  const item = { schemaVersion: 1, text, expiresAt: Math.ceil((now + UPLOAD_RETENTION_MS) / SECOND_MS) };
  await putOnce(table, skillKeys.file(space, sha256), item);
  return sha256;
};

/** A file, or a further piece of one. */
export interface KeptPiece {
  readonly text: string;
  readonly after?: string | undefined;
}

export interface ChangeSource {
  readonly space: string;
  /** Sender id of the approver who asked for it. */
  readonly by: string;
  readonly now: number;
  readonly signalId: string;
}

interface NewSkill {
  readonly definition: SkillDefinition;
  readonly files: readonly SkillText[];
  /** Those without a text, whose bytes are in the store of files. */
  readonly machineFiles?: readonly SkillFile[];
  readonly trust: SkillTrust;
}

/** As a version keeps it. */
const plainFile = ({ path, sha256, bytes }: SkillFile): SkillFile => ({ path, sha256, bytes });

/** Puts a version in force. @returns the skill, and whether it was in force before */
export const putSkill = async (
  table: SkillTable,
  source: ChangeSource,
  { definition, files, machineFiles = [], trust }: NewSkill,
): Promise<{ readonly skill: ActiveSkill; readonly isSame: boolean }> => {
  const { space, by, now: at } = source;
  const { name } = definition;
  const described = [...files.map(describeFile), ...machineFiles.map(plainFile)];
  const hash = versionOf(described);
  const { gates, handlers, functions = [], runbooks = [] } = definition;
  const inUse = new Set([SKILL_FILE, ...[...gates, ...handlers, ...functions, ...runbooks].map(({ file }) => file)]);
  const inForce = described.filter(({ path }) => inUse.has(path)).map(({ path, sha256 }) => [path, sha256]);
  const skill: ActiveSkill = { name, hash, trust, by, at, definition, files: Object.fromEntries(inForce) };
  const forMachine = machineFiles.map((file) => file.path);
  const version = {
    ...{ schemaVersion: 1, name, hash, files: described, definition: JSON.stringify(definition), by, at },
    ...(forMachine.length > 0 && { forMachine }),
  };
  const isSame = await changeSkills(table, source, {
    make: (skills) => {
      const before = skills.find((one) => one.name === name);
      if (before?.hash === hash && before.trust === trust) return undefined;
      if (before === undefined && skills.length >= ADDED_SKILLS_MAX)
        throw new ProtocolError(`there are ${ADDED_SKILLS_MAX} added skills already; remove one first`);
      return [...skills.filter((one) => one.name !== name), skill];
    },
    change: { name, hash, files: described, trust },
    writes: [
      { kind: 'put', key: skillKeys.version(space, name, hash), item: version },
      ...files.map(({ text }): Write => {
        const sha256 = sha256Of(text);
        return { kind: 'put', key: skillKeys.file(space, sha256), item: { schemaVersion: 1, text } };
      }),
    ],
  });
  return { skill, isSame };
};

/** @returns false if there was no such skill. */
export const removeSkill = async (table: SkillTable, source: ChangeSource, name: string): Promise<boolean> => {
  const { skills } = await loadActiveSkills(table, source.space);
  const trust = skills.find((one) => one.name === name)?.trust ?? 'outside';
  const isSame = await changeSkills(table, source, {
    make: (now) => (now.some((one) => one.name === name) ? now.filter((one) => one.name !== name) : undefined),
    change: { name, hash: 'removed', files: [], trust },
    writes: [],
  });
  return !isSame;
};

interface WantedSkills {
  /** Undefined if nothing is to change. */
  readonly make: (skills: readonly ActiveSkill[]) => readonly ActiveSkill[] | undefined;
  readonly change: Pick<SkillChange, 'name' | 'hash' | 'files' | 'trust'>;
  readonly writes: readonly Write[];
}

/** @returns true if it was so before. @throws ProtocolError, RetryLaterError */
const changeSkills = async (table: SkillTable, source: ChangeSource, wanted: WantedSkills): Promise<boolean> => {
  for (let tries = 0; tries < SKILL_CHANGE_TRIES_MAX; tries += 1) {
    const current = await loadActiveSkills(table, source.space);
    const skills = wanted.make(current.skills);
    if (skills === undefined) return true;
    const former = current.skills.find((one) => one.name === wanted.change.name);
    if (await save(table, source, { ...current, skills: [...skills] }, wanted, former)) return false;
  }
  throw new RetryLaterError('the skills are being changed by others', RETRY_BACKOFF_MS[0]);
};

/** Two files of one skill may hold the same text: a transaction names each item once. */
const once = (writes: readonly Write[]): readonly Write[] => [
  ...new Map(writes.map((write) => [write.key.sk, write])).values(),
];

const putFormer = (space: string, signalId: string, { name, hash, trust }: ActiveSkill): Write => ({
  kind: 'put',
  key: skillKeys.former(space, signalId, name),
  item: { schemaVersion: 1, hash, trust },
});

/** @returns false if another change came first. */
const save = async (
  table: SkillTable,
  { space, by, now: at, signalId }: ChangeSource,
  { round, skills }: ActiveSkills,
  { change, writes }: WantedSkills,
  former: ActiveSkill | undefined,
): Promise<boolean> => {
  const text = JSON.stringify(skills);
  if (text.length > ACTIVE_SKILLS_CHARS_MAX) throw new ProtocolError('there is no room for so many large skills');
  const item = { schemaVersion: 1, round: round + 1, skills: text };
  const isAsRead = { name: 'the skills are as they were read', holds: equals('round', round) };
  const record: SkillChange = { schemaVersion: 1, ...change, by, at, signalId };
  return wasWritten(
    table.transact([
      { kind: 'put', key: skillKeys.active(space), item, condition: round === 0 ? IS_NEW : isAsRead },
      ...(round === 0 ? [newDataWrite(space)] : []),
      ...once(writes),
      { kind: 'put', key: skillKeys.change(space, signalId, change.name, change.hash), item: { ...record } },
      ...(former === undefined ? [] : [putFormer(space, signalId, former)]),
    ]),
  );
};

const Version = z.object({
  schemaVersion: z.literal(1),
  files: z.array(SkillFile),
  /** Paths of those without a text: here, where the release before reads past it. */
  forMachine: z.optional(z.array(z.string())),
});

/** The files of a version that was in force once. @throws StoredItemError */
export const loadVersion = async (
  table: LoadTable,
  space: string,
  name: string,
  hash: string,
): Promise<readonly VersionFile[]> => {
  const item = (await loadItem(table, skillKeys.version(space, name, hash))) ?? {};
  const { files, forMachine = [] } = parseStored(item, Version, `version of ${name}`);
  return files.map((file) => (forMachine.includes(file.path) ? { ...file, isForMachine: true } : file));
};

/** @throws ProtocolError if no such skill is in force */
export const filesOf = async (table: Pick<Table, 'load'>, space: string, name: string) => {
  const { skills } = await loadActiveSkills(table, space);
  const skill = skills.find((one) => one.name === name);
  if (skill === undefined) throw new ProtocolError('there is no added skill of this name');
  return { skill, files: await loadVersion(table, space, name, skill.hash) };
};

export interface WholeSkill {
  readonly skill: ActiveSkill;
  readonly files: readonly SkillText[];
  /** Those without a text, for a machine. */
  readonly machineFiles: readonly SkillFile[];
}

/** @throws ProtocolError in words for a person */
export const readWholeSkill = async (table: Pick<Table, 'load'>, space: string, name: string): Promise<WholeSkill> => {
  const { skill, files } = await filesOf(table, space, name);
  const texts = await Promise.all(
    files
      .filter(({ isForMachine }) => isForMachine !== true)
      .map(async ({ path, sha256 }) => ({ path, text: await loadSkillFile(table, space, sha256) })),
  );
  const whole = texts.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]));
  if (whole.length < texts.length) throw new ProtocolError(`a file of the skill ${name} cannot be read`);
  return {
    skill,
    files: whole,
    machineFiles: files.filter(({ isForMachine }) => isForMachine === true).map(plainFile),
  };
};
