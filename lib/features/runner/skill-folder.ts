/**
 * The files of an added skill, as an order names them: the machine lays them out, read-only, in one
 * folder that only the command sees. Pure.
 */
import * as z from 'zod/mini';
import type { JsonObject } from '../../core/base/json.ts';
import { SKILL_FOLDER } from '../../core/signal/runner-tools.ts';

/** As plain as the paths that a skill may have: none leads out of the folder. */
const PLAIN = /^(?!.*(?:^|\/)\.)[^/\\\p{Cc}\p{Cf}]+(?:\/[^/\\\p{Cc}\p{Cf}]+)*$/u;

/** Code fills them in from the skill in force: the machine lays out these bytes or runs nothing. */
export const OrderFiles = z
  .array(
    z.strictObject({
      path: z.string().check(z.regex(PLAIN), z.maxLength(200)),
      sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
      bytes: z.int().check(z.nonnegative()),
    }),
  )
  .check(z.minLength(1), z.maxLength(128));
export type OrderFile = z.infer<typeof OrderFiles>[number];

/** The files that a call names; none if it names no skill, or they have another form. */
export const orderFiles = ({ skill, files }: JsonObject): readonly OrderFile[] => {
  const parsed = typeof skill === 'string' ? OrderFiles.safeParse(files) : undefined;
  return parsed?.data ?? [];
};

export const isInSkill = (path: string): boolean => path.startsWith(`${SKILL_FOLDER}/`);

/** The file of a call at a path in the folder. */
export const orderFileAt = (args: JsonObject, path: string): OrderFile | undefined =>
  orderFiles(args).find((file) => `${SKILL_FOLDER}/${file.path}` === path);

/** Folders that the command of a call may read beside those of its machine. */
export const skillRoots = (args: JsonObject): readonly string[] => (orderFiles(args).length > 0 ? [SKILL_FOLDER] : []);
