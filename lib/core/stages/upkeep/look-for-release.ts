/**
 * Looks up the newest release, at most once a day: one plain GET of the address in `RELEASE_URL`,
 * which says nothing about this installation. The answer is JSON with `version`, or with `tag_name`
 * as GitHub writes it. Whatever goes wrong is silent: the next look is a day later.
 */
import * as z from 'zod/mini';
import { readJson } from '../../base/json.ts';
import { DAY_MS, KIB, SECOND_MS } from '../../base/limits.ts';
import { buildOutgoingFetch } from '../../http/outgoing.ts';
import { newestReleaseKey } from '../../ledger/newest-release.ts';
import { absent, anyOf, below } from '../../store/condition.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Table } from '../../store/table.ts';
import { updateIf } from '../../store/update-if.ts';

interface ReleaseDeps {
  readonly table: Pick<Table, 'load' | 'update'>;
  readonly space: string;
}

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

/** `1.2.3` of `v1.2.3`; undefined if it is no such name. */
const parseVersion = (name: string): string | undefined => /^v?(\d{1,5}\.\d{1,5}\.\d{1,5})$/.exec(name)?.[1];

/** Whether nobody looked for a day. Noted first, so that a failed look is not repeated either. */
const claimLook = async ({ table, space }: ReleaseDeps, now: number): Promise<boolean> => {
  const key = newestReleaseKey(space);
  const last: unknown = (await loadItem(table, key))?.at;
  if (typeof last === 'number' && last > now - DAY_MS) return false;
  const holds = anyOf(absent('at'), below('at', now - DAY_MS + 1));
  return updateIf(table, key, { set: { schemaVersion: 1, at: now } }, { name: 'nobody looked today', holds });
};

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

export const lookForRelease = async (deps: ReleaseDeps, url: string, now: number): Promise<void> => {
  if (!(await claimLook(deps, now))) return;
  const version = await readVersion(url).catch(() => undefined);
  if (version !== undefined)
    await deps.table.update(newestReleaseKey(deps.space), { set: { schemaVersion: 1, version } });
};
