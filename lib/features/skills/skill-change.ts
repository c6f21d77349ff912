/**
 * One change of a skill: a version that was put in force, or the skill's removal. It stands in the
 * partition of the signal that made it, so that the log's writer gives it a leaf. Names and hashes
 * only: the bytes are items of their own. Pure.
 */
import * as z from 'zod/mini';
import { KIB } from '../../core/base/limits.ts';

/** Instructions, a few references and scripts. */
export const SKILL_FILES_MAX = 128;
/** A text that the model can read to its end, as any long output. */
export const SKILL_FILE_BYTES_MAX = 96 * KIB;
/** Of a file that only a machine reads: a picture, a font or a small archive, in some 35 pieces. */
export const MACHINE_FILE_BYTES_MAX = 1024 * KIB;
/** Of all such files of a skill: whoever adds it waits for each piece. */
export const MACHINE_FILES_BYTES_MAX = 4 * MACHINE_FILE_BYTES_MAX;
/** A piece of a file fits one action, which carries it into the table. */
export const SKILL_PIECE_BYTES_MAX = 40 * KIB;

/** As agentskills.io names skills: lower-case words of letters and digits, joined by `-`. */
export const SkillName = z
  .string()
  .check(
    z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'must be lower-case words of letters and digits, joined by -' }),
    z.maxLength(64),
  );

/** SHA-256 in lower-case hex. */
export const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** A file of a version: its place in the folder, and what it holds by hash. */
export const SkillFile = z.strictObject({ path: z.string(), sha256: Sha256, bytes: z.int() });
export type SkillFile = z.infer<typeof SkillFile>;

/** The same, if it says too that only a machine reads it: its bytes lie in the store of files. */
export interface VersionFile extends SkillFile {
  readonly isForMachine?: true | undefined;
}

/** `outside`: its words count as a stranger's. `owner`: an approver vouched for these bytes. */
export const SkillTrust = z.enum(['outside', 'owner']);
export type SkillTrust = z.infer<typeof SkillTrust>;

const path = z.string().check(z.minLength(1), z.maxLength(200));

const byHash = { path, sha256: Sha256, bytes: z.int(), isForMachine: z.optional(z.literal(true)) };

/** A skill as `/skill add` takes it: each file with its text, or by the hash of an uploaded one. */
export const SkillUpload = z.strictObject({
  files: z
    .array(z.union([z.strictObject({ path, text: z.string() }), z.strictObject(byHash)]))
    .check(z.minLength(1), z.maxLength(SKILL_FILES_MAX)),
  trust: SkillTrust,
});

export const SkillChange = z.strictObject({
  schemaVersion: z.literal(1),
  name: SkillName,
  /** Hash of the version that came into force. */
  hash: z.union([Sha256, z.literal('removed')]),
  /** All files of the version, by path; none of a removal. */
  files: z.array(SkillFile),
  trust: SkillTrust,
  /** Sender id of the approver who asked for it. */
  by: z.string(),
  at: z.int(),
  signalId: z.string(),
});
export type SkillChange = z.infer<typeof SkillChange>;
