/**
 * Looks up the newest release, at most once a day: one plain GET of the address in `RELEASE_URL`,
 * which says nothing about this installation. The answer is JSON with `version`, or with `tag_name`
 * as GitHub writes it. Whatever goes wrong is silent: the next look is a day later.
 */
import * as z from 'zod/mini';
import { readJson } from '../../base/json.ts';
import { KIB, SECOND_MS } from '../../base/limits.ts';
import { buildOutgoingFetch } from '../../http/outgoing.ts';
import { claimReleaseLook, noteRelease, parseVersion } from '../../ledger/newest-release.ts';
import type { Table } from '../../store/table.ts';

/** GitHub lists each file of a release. */
const RELEASE_BYTES_MAX = 256 * KIB;
/** A tick has other work. */
const LOOK_TIMEOUT_MS = 5 * SECOND_MS;
/** GitHub refuses a request without a name. It is the same of every installation. */
const HEADERS = { accept: 'application/json', 'user-agent': 'passepartout' };

const Answer = z.union([
  z.pipe(
    z.object({ version: z.string() }),
    z.transform(({ version }) => version),
  ),
  z.pipe(
    z.object({ tag_name: z.string() }),
    z.transform(({ tag_name: tag }) => tag),
  ),
]);

const readVersion = async (url: string): Promise<string | undefined> => {
  const fetch = buildOutgoingFetch({
    peer: 'the list of releases',
    bytesMax: RELEASE_BYTES_MAX,
    connectTimeoutMs: LOOK_TIMEOUT_MS,
  });
  const answer = await fetch(url, { headers: HEADERS, signal: AbortSignal.timeout(LOOK_TIMEOUT_MS) });
  const { data = '' } = Answer.safeParse(readJson(await answer.text()));
  return answer.ok ? parseVersion(data) : undefined;
};

export const lookForRelease = async (
  { table, space }: { readonly table: Pick<Table, 'load' | 'update'>; readonly space: string },
  url: string,
  now: number,
): Promise<void> => {
  if (!(await claimReleaseLook(table, space, now))) return;
  const version = await readVersion(url).catch(() => undefined);
  if (version !== undefined) await noteRelease(table, space, version);
};
