/** Puts Embed together from its environment. */
import { buildLive } from '../../lib/core/ledger/live-settings.ts';
import { capsWithoutReserve } from '../../lib/core/ledger/quota.ts';
import { isForgetting, loadRestoreState } from '../../lib/core/log/restore-state.ts';
import { buildLoadView, buildReader } from '../../lib/core/memory/read.ts';
import { buildCaps } from '../../lib/core/money/caps.ts';
import {
  clearVectors,
  type EmbedDeps,
  type EmbedReport,
  embedMemory,
} from '../../lib/core/prompt/embeddings/embed-memory.ts';
import { buildEmbedTexts, buildEndpoint } from '../../lib/core/prompt/embeddings/embed-texts.ts';
import { buildLoadSegments } from '../../lib/core/prompt/embeddings/vector-store.ts';
import { buildVisibleMemoryCache } from '../../lib/core/prompt/visible-memory.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import type { Log } from '../../lib/core/store/log.ts';
import type { ReadSecrets } from '../../lib/core/store/secrets.ts';
import type { Variables } from '../../lib/core/store/settings.ts';
import type { Table } from '../../lib/core/store/table.ts';

export const wireEmbed = (space: string, table: Table, readSecrets: ReadSecrets, log: Log) => {
  const loadView = buildLoadView(buildReader(table, space));
  const fixed = { table, space, embed: buildEmbedTexts(), loadSegments: buildLoadSegments(table, space) };
  const build = (variables: Variables) => {
    const set = readEnvironment('embed', variables);
    return {
      keyless: buildEndpoint(set, () => ''),
      caps: capsWithoutReserve(buildCaps(set)),
      visibleMemoryOf: buildVisibleMemoryCache(set.PRIVACY_FILTER_TAGS),
    };
  };
  const live = buildLive({ table, space, build });
  return async (): Promise<EmbedReport> => {
    // While a restored copy still has to forget notes again, no text goes to an endpoint.
    const restore = await loadRestoreState(table, space);
    if (isForgetting(restore)) return { embedded: 0, removed: 0, waiting: 0, stopped: 'older-copy' };
    const { keyless, caps, visibleMemoryOf } = await live();
    if (keyless === undefined) return clearVectors(table, space);
    const secrets = await readSecrets(Date.now());
    const endpoint = { ...keyless, key: secrets.get('EMBEDDING_API_KEY') ?? '' };
    const loadVisibleMemory: EmbedDeps['loadVisibleMemory'] = async (head) => visibleMemoryOf(await loadView(head));
    const report = await embedMemory({ ...fixed, caps, endpoint, loadVisibleMemory, secrets, now: Date.now() });
    if (report.stopped !== undefined) log('warn', 'embedding-stopped', { ...report });
    return report;
  };
};
