import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeyRefusedError, UnavailableError } from '../../../../lib/core/base/errors.ts';
import { PROVIDER_UNWELL_MS } from '../../../../lib/core/base/limits.ts';
import { buildMemory } from '../../../../lib/core/memory/memory.ts';
import { buildLoadView, buildReader } from '../../../../lib/core/memory/read.ts';
import { isEmbeddingRefused, parseDaySpend, spendKey } from '../../../../lib/core/money/day-spend.ts';
import { clearVectors, embedMemory } from '../../../../lib/core/prompt/embeddings/embed-memory.ts';
import type { EmbeddingEndpoint, EmbedTexts } from '../../../../lib/core/prompt/embeddings/embed-texts.ts';
import {
  buildLoadSegments,
  parseVectorState,
  vectorKeys,
} from '../../../../lib/core/prompt/embeddings/vector-store.ts';
import { buildVisibleMemoryCache } from '../../../../lib/core/prompt/visible-memory.ts';
import { newSpace } from '../../../flow/adversity-world.ts';
import { DEFAULT_CAPS } from '../../../support/default-caps.ts';
import { startDynamo, type TestDynamo } from '../../../support/dynamo.ts';
import { NONCE, NOW } from '../../memory/notes.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

const ENDPOINT: EmbeddingEndpoint = { baseUrl: 'http://127.0.0.1:1/v1', key: 'k', model: 'small', price: 1_000_000 };

const world = () => {
  const space = newSpace();
  const { table } = dynamo;
  const memory = buildMemory(table, space);
  const sent: string[][] = [];
  let reads = 0;
  let writes: string[] = [];
  const counting = {
    load: (...args: Parameters<typeof table.load>) => {
      reads += 1;
      return table.load(...args);
    },
    put: (...args: Parameters<typeof table.put>) => {
      writes.push(args[0].pk.split('#')[0] ?? '');
      return table.put(...args);
    },
    update: (...args: Parameters<typeof table.update>) => {
      writes.push(args[0].pk.split('#')[0] ?? '');
      return table.update(...args);
    },
  };
  const answer: EmbedTexts = async (_, texts) => {
    sent.push([...texts]);
    return { vectors: texts.map((text) => [text.length, 1, -2]), tokens: texts.length * 10 };
  };
  const loadView = buildLoadView(buildReader(table, space));
  const visibleMemoryOf = buildVisibleMemoryCache(['family']);
  const loadSegments = buildLoadSegments(counting, space);
  let notes = 0;
  return {
    space,
    memory,
    sent,
    counts: () => ({ reads, writes: [...new Set(writes)] }),
    remember: async (text: string, tags: readonly string[] = []): Promise<string> => {
      notes += 1;
      const by = { effectId: `con-${notes}#0`, signalId: `con-${notes}`, now: NOW + notes, nonce: NONCE };
      return (await memory.remember({ text, tags, origin: 'owner', ...by })).id;
    },
    tick: (more: { embed?: EmbedTexts; now?: number; caps?: typeof DEFAULT_CAPS; model?: string } = {}) => {
      reads = 0;
      writes = [];
      return embedMemory({
        table: counting,
        space,
        endpoint: { ...ENDPOINT, ...(more.model === undefined ? {} : { model: more.model }) },
        embed: more.embed ?? answer,
        loadVisibleMemory: async (head) => visibleMemoryOf(await loadView(head)),
        loadSegments,
        caps: more.caps ?? DEFAULT_CAPS,
        secrets: new Map([['EMBEDDING_API_KEY', 'pk-very-hidden-value']]),
        now: more.now ?? NOW,
      });
    },
    /** `id version` of every stored vector, as a fresh process reads them. */
    stored: async (): Promise<readonly string[]> => {
      const [item] = await table.load([vectorKeys.state(space)]);
      const state = parseVectorState(item);
      const segments = state === undefined ? [] : await buildLoadSegments(table, space)(state);
      return segments.flatMap(({ segment }) => segment.ids.map((id, n) => `${id} ${segment.versions[n]}`)).sort();
    },
    spent: async (): Promise<number> => {
      const [item] = await table.load([spendKey(space, NOW)]);
      return parseDaySpend(item).usd;
    },
  };
};

const DONE = { embedded: 0, removed: 0, waiting: 0 };

describe('embedMemory', () => {
  it('gives every object a vector once, pays for it, and asks nobody while nothing changes (I12)', async () => {
    const { remember, tick, stored, sent, counts, spent } = world();
    expect(await tick()).toStrictEqual(DONE);
    expect(counts()).toStrictEqual({ reads: 1, writes: [] });
    const bike = await remember('my bike is blue');
    expect(await tick()).toStrictEqual({ ...DONE, embedded: 1 });
    expect(counts().writes).toStrictEqual(['spend', 'vector']);
    expect(await stored()).toStrictEqual([`${bike} 1`]);
    expect(await spent()).toBe(10);
    expect(await tick()).toStrictEqual(DONE);
    expect(counts()).toStrictEqual({ reads: 1, writes: [] });
    const key = await remember('the key is under the pot');
    expect(await tick()).toStrictEqual({ ...DONE, embedded: 1 });
    expect(await stored()).toStrictEqual([`${bike} 1`, `${key} 1`].sort());
    expect(sent).toStrictEqual([['my bike is blue'], ['the key is under the pot']]);
  });

  it('never sends what is private or looks like a secret, and settles all the same', async () => {
    const { remember, tick, stored, sent } = world();
    await remember('dear diary', ['personal']);
    await remember('for us only', ['family']);
    await remember('the token is ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ5');
    await remember('it is pk-very-hidden-value');
    const fine = await remember('milk');
    expect(await tick()).toStrictEqual({ ...DONE, embedded: 1 });
    expect({ sent, stored: await stored() }).toStrictEqual({ sent: [['milk']], stored: [`${fine} 1`] });
    expect(await tick()).toStrictEqual(DONE);
  });

  it('takes away the vector of what is forgotten, and leaves nothing of its segment', async () => {
    const { space, memory, remember, tick, stored } = world();
    const id = await remember('my bike is blue');
    await tick();
    await memory.forget({ id, signalId: 'con-9', now: NOW });
    expect(await tick()).toStrictEqual({ ...DONE, removed: 1 });
    expect(await stored()).toStrictEqual([]);
    const [segment] = await dynamo.table.load([vectorKeys.segment(space, 0)]);
    expect(segment).toMatchObject({ schemaVersion: 1 });
    expect(segment?.bytes).toBeUndefined();
  });

  it('keeps what is done when a later batch fails, leaves the endpoint alone for longer each time, and goes on', async () => {
    const { remember, tick, stored } = world();
    for (let n = 0; n < 40; n += 1) await remember(`note ${n}`);
    let asked = 0;
    const failing: EmbedTexts = async (_, texts) => {
      asked += 1;
      if (asked > 1) throw new UnavailableError('the embeddings endpoint');
      return { vectors: texts.map(() => [1, 2]), tokens: 1 };
    };
    expect(await tick({ embed: failing })).toStrictEqual({ ...DONE, embedded: 32, waiting: 8, stopped: 'endpoint' });
    expect(await tick({ now: NOW + 30_000 })).toStrictEqual({ ...DONE, stopped: 'backing-off' });
    expect(await tick({ embed: failing, now: NOW + 61_000 })).toStrictEqual({
      ...DONE,
      waiting: 8,
      stopped: 'endpoint',
    });
    expect(await tick({ now: NOW + 122_000 })).toStrictEqual({ ...DONE, stopped: 'backing-off' });
    const later: EmbedTexts = async (_, texts) => ({ vectors: texts.map(() => [1, 2]), tokens: 1 });
    expect(await tick({ embed: later, now: NOW + 200_000 })).toStrictEqual({ ...DONE, embedded: 8 });
    expect(await stored()).toHaveLength(40);
  });

  it('marks a refused key on the day’s counter, pays nothing for it, tries again in ten minutes, and takes the mark away when it is taken', async () => {
    const { space, remember, tick, spent } = world();
    const item = async () => (await dynamo.table.load([spendKey(space, NOW)], { isConsistent: true }))[0];
    await remember('my bike is blue');
    const refusing: EmbedTexts = async () => {
      throw new KeyRefusedError('the embeddings endpoint refuses the key (401)');
    };
    const refused = { ...DONE, waiting: 1, stopped: 'key-refused' };
    expect(await tick({ embed: refusing })).toStrictEqual(refused);
    expect([await spent(), isEmbeddingRefused(await item(), NOW + 1)]).toStrictEqual([0, true]);
    // However often: the mark stands from one try to the next.
    for (let n = 1; n < 9; n += 1) {
      const now = NOW + n * PROVIDER_UNWELL_MS;
      expect(isEmbeddingRefused(await item(), now)).toBe(true);
      expect(await tick({ now: now - 1, embed: refusing })).toMatchObject({ stopped: 'backing-off' });
      expect(await tick({ now, embed: refusing })).toStrictEqual(refused);
    }
    const now = NOW + 9 * PROVIDER_UNWELL_MS;
    expect(await tick({ now })).toStrictEqual({ ...DONE, embedded: 1 });
    expect(isEmbeddingRefused(await item(), now)).toBe(false);
  });

  it('sends nothing that the day has no money for', async () => {
    const { remember, tick, sent } = world();
    await remember('my bike is blue');
    expect(await tick({ caps: { ...DEFAULT_CAPS, day: 0 } })).toStrictEqual({ ...DONE, waiting: 1, stopped: 'budget' });
    expect(sent).toStrictEqual([]);
    expect(await tick()).toStrictEqual({ ...DONE, embedded: 1 });
  });

  it('makes all vectors anew for another model, or where their length changed', async () => {
    const { remember, tick, stored } = world();
    const id = await remember('my bike is blue');
    await tick();
    expect(await tick({ model: 'large' })).toStrictEqual({ ...DONE, embedded: 1 });
    expect(await stored()).toStrictEqual([`${id} 1`]);
    const next = await remember('milk');
    const longer: EmbedTexts = async (_, texts) => ({ vectors: texts.map(() => [1, 2, 3, 4]), tokens: 1 });
    await tick({ model: 'large', embed: longer });
    await tick({ model: 'large', embed: longer });
    expect(await stored()).toStrictEqual([`${id} 1`, `${next} 1`].sort());
  });
});

describe('clearVectors', () => {
  it('leaves nothing of any vector, writes nothing where there is none, and a model may begin anew', async () => {
    const { space, remember, tick, stored } = world();
    expect(await clearVectors(dynamo.table, space)).toStrictEqual(DONE);
    const id = await remember('my bike is blue');
    await tick();
    expect(await clearVectors(dynamo.table, space)).toStrictEqual({ ...DONE, removed: 1 });
    const [segment] = await dynamo.table.load([vectorKeys.segment(space, 0)]);
    expect({ bytes: segment?.bytes, stored: await stored() }).toStrictEqual({ bytes: undefined, stored: [] });
    expect(await clearVectors(dynamo.table, space)).toStrictEqual(DONE);
    expect(await tick()).toStrictEqual({ ...DONE, embedded: 1 });
    expect(await stored()).toStrictEqual([`${id} 1`]);
  });
});
