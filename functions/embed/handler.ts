/**
 * Embed: each minute, gives new and changed objects of memory their vectors, and takes away those
 * of what was forgotten. It asks nobody while memory has not changed (I12).
 */

import { buildLive } from '../../lib/core/ledger/live-settings.ts';
import { capsWithoutReserve } from '../../lib/core/ledger/quota.ts';
import { isForgetting, loadRestoreState } from '../../lib/core/log/restore-state.ts';
import { buildLoadView, buildReader } from '../../lib/core/memory/read.ts';
import { buildCaps } from '../../lib/core/money/caps.ts';
import { clearVectors, type EmbedReport, embedMemory } from '../../lib/core/prompt/embeddings/embed-memory.ts';
import { buildEmbedTexts, buildEndpoint } from '../../lib/core/prompt/embeddings/embed-texts.ts';
import { buildLoadSegments } from '../../lib/core/prompt/embeddings/vector-store.ts';
import { buildVisibleMemoryCache } from '../../lib/core/prompt/visible-memory.ts';
import { openTable } from '../../lib/core/store/data-version.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildLog } from '../../lib/core/store/log.ts';
import { buildReadSecrets } from '../../lib/core/store/secrets.ts';
import { secretsOf } from '../../lib/core/store/settings.ts';

const env = readEnvironment('embed');
const table = openTable(env);
const log = buildLog(env.LOG_LEVEL);
const readSecrets = buildReadSecrets(secretsOf('embed'));
const loadView = buildLoadView(buildReader(table, env.SPACE));
const fixed = {
  table,
  space: env.SPACE,
  embed: buildEmbedTexts(),
  loadSegments: buildLoadSegments(table, env.SPACE),
};
const live = buildLive({
  table,
  space: env.SPACE,
  build: (variables) => {
    const set = readEnvironment('embed', variables);
    return {
      keyless: buildEndpoint(set, () => ''),
      caps: capsWithoutReserve(buildCaps(set)),
      visibleMemoryOf: buildVisibleMemoryCache(set.PRIVACY_FILTER_TAGS),
    };
  },
});

export const handler = async (): Promise<EmbedReport> => {
  // While a restored copy still has to forget notes again, no text goes to an endpoint.
  const restore = await loadRestoreState(table, env.SPACE);
  if (isForgetting(restore)) return { embedded: 0, removed: 0, waiting: 0, stopped: 'older-copy' };
  const { keyless, caps, visibleMemoryOf } = await live();
  if (keyless === undefined) return clearVectors(table, env.SPACE);
  const secrets = await readSecrets(Date.now());
  const endpoint = { ...keyless, key: secrets.get('EMBEDDING_API_KEY') ?? '' };
  const loadVisibleMemory: Parameters<typeof embedMemory>[0]['loadVisibleMemory'] = async (head) =>
    visibleMemoryOf(await loadView(head));
  const report = await embedMemory({ ...fixed, caps, endpoint, loadVisibleMemory, secrets, now: Date.now() });
  if (report.stopped !== undefined) log('warn', 'embedding-stopped', { ...report });
  return report;
};
