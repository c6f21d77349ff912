/**
 * The version of a skill that a signal's change replaced or removed, as `/skill add` takes it: with
 * its texts or, if it is too large for one action, by their hashes. Only `/undo` reads it.
 * @throws StoredItemError if this release cannot read it
 */
import * as z from 'zod/mini';
import { skillKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { parseStored } from '../../core/store/parse-stored.ts';
import type { Table } from '../../core/store/table.ts';
import { Sha256, SKILL_PIECE_BYTES_MAX, SkillTrust, type SkillUpload } from './skill-change.ts';
import { bytesOf, EXTENSION_FILE } from './skill-files.ts';
import { loadSkillFile, loadVersion } from './skill-store.ts';

const Former = z.object({ schemaVersion: z.literal(1), hash: Sha256, trust: SkillTrust });

/** @returns undefined if the change replaced none */
export const loadFormer = async (
  table: Pick<Table, 'load'>,
  space: string,
  signalId: string,
  name: string,
): Promise<z.infer<typeof SkillUpload> | undefined> => {
  const item = await loadItem(table, skillKeys.former(space, signalId, name));
  if (item === undefined) return undefined;
  const { hash, trust } = parseStored(item, Former, `version of ${name} before`);
  const described = await loadVersion(table, space, name, hash);
  const isLarge = bytesOf(described) > SKILL_PIECE_BYTES_MAX;
  const files = described.map(async (file) => {
    // A card names the addresses of its webhooks only if it has this text.
    const text = isLarge && file.path !== EXTENSION_FILE ? undefined : await loadSkillFile(table, space, file.sha256);
    return text === undefined ? file : { path: file.path, text };
  });
  return { files: await Promise.all(files), trust };
};
