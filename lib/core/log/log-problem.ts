/** Why the log's writer cannot write, for health and exports; until the next leaf. */

import * as z from 'zod/mini';
import { MINUTE_MS } from '../base/limits.ts';
import { type Finding, finding } from '../language/finding.ts';
import { type Key, logKeys } from '../store/keys.ts';
import { parseStored } from '../store/parse-stored.ts';
import type { Item, Table } from '../store/table.ts';

const problemKey = (space: string): Key => ({ pk: logKeys.partition(space), sk: 'problem' });

const StoredProblem = z.object({ schemaVersion: z.literal(1), at: z.int(), problem: z.string() });
/** The part of the log's head that is needed here. */
const Head = z.object({ schemaVersion: z.literal(1), at: z.int() });

export const noteLogProblem = (table: Pick<Table, 'put'>, space: string, problem: string, at: number): Promise<void> =>
  table.put(problemKey(space), { schemaVersion: 1, at, problem });

/** @returns the problem; undefined if the log goes on */
export const loadLogProblem = async (table: Pick<Table, 'load'>, space: string): Promise<string | undefined> => {
  const [item, head] = await table.load([problemKey(space), logKeys.head(space)]);
  if (item === undefined) return undefined;
  const { at, problem } = parseStored(item, StoredProblem);
  const isPast = head !== undefined && parseStored(head, Head).at > at;
  return isPast ? undefined : problem;
};

export const anchorProblemKey = (space: string): Key => ({ pk: logKeys.partition(space), sk: 'anchor-problem' });

/** The writer tries again each minute, and notes it again. */
const ANCHOR_PROBLEM_MS = 5 * MINUTE_MS;

const AnchorProblem = z.object({ schemaVersion: z.literal(1), at: z.int() });

/** The newest checkpoint could not be stored outside the table. */
export const noteAnchorProblem = (table: Pick<Table, 'put'>, space: string, at: number): Promise<void> =>
  table.put(anchorProblemKey(space), { schemaVersion: 1, at });

export const findAnchorProblem = (item: Item | undefined, now: number): readonly Finding[] => {
  const at = AnchorProblem.safeParse(item).data?.at;
  return at === undefined || now - at > ANCHOR_PROBLEM_MS ? [] : [finding('anchor')];
};
