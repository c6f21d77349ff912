/**
 * `search-web`: each service as its maker documents it, every fault in fixed words with what it
 * cost, and the way of one search through the gates, the card, the money and the answer.
 */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { trySearch } from '../../../infra/features/web/try-search.ts';
import { PassingError } from '../../../lib/core/base/errors.ts';
import { parseDaySpend, spendKey } from '../../../lib/core/money/day-spend.ts';
import type { Prompt } from '../../../lib/core/prompt/build-prompt.ts';
import type { Variables } from '../../../lib/core/store/settings.ts';
import type { FormContext, Services } from '../../../lib/core/tools/tool.ts';
import { SEARCH_BYTES_MAX, searchWeb, tryService } from '../../../lib/features/web/ask-service.ts';
import { SEARCH_FORM } from '../../../lib/features/web/search-form.ts';
import { searchCosts } from '../../../lib/features/web/search-price.ts';
import { findService, SEARCH_PARSERS, type SearchService } from '../../../lib/features/web/search-services.ts';
import { callTool } from '../../flow/adversity-world.ts';
import { buildApprovalWorld } from '../../flow/approval-world.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { SEARCH_KEY, type ServiceKind, startSearchServer } from '../../support/search-server.ts';

const PAGES = [
  { title: 'Tide tables', url: 'https://tides.example/lisbon', snippet: 'High water at <b>14:10</b> &amp; 02:31.' },
  { title: 'The Tejo', url: 'https://river.example/', snippet: '' },
];
const FOUND = [
  '1. Tide tables\nhttps://tides.example/lisbon\nHigh water at 14:10 & 02:31.',
  '2. The Tejo\nhttps://river.example/',
].join('\n\n');

const TAVILY = findService('tavily') as SearchService;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const serverOf = async (kind: ServiceKind, pages = PAGES) => {
  const server = await startSearchServer(kind, pages);
  closing.push(server.close);
  const row = findService(kind === 'searxng' ? `${server.origin}/` : kind);
  if (row === undefined) throw new Error(`there is no service ${kind}`);
  return { server, service: { ...row, url: server.url } };
};

/** @returns its output or its fault, and what it cost; undefined if the price stays */
const search = async (service: SearchService, key = SEARCH_KEY, query = 'tides', timeoutMs = 5_000) => {
  let usd: number | undefined;
  const note = (cost: number) => {
    usd = cost;
  };
  const said = await searchWeb(service, key, query, note, timeoutMs).catch((error: unknown) => error);
  return { said: said instanceof Error ? said.message : said, isPassing: said instanceof PassingError, usd };
};

describe('searchWeb', () => {
  it.each([
    ['brave', 'GET', { q: 'tides', count: '10', result_filter: 'web', text_decorations: 'false' }],
    ['tavily', 'POST', { query: 'tides', max_results: 10, search_depth: 'basic' }],
    ['kagi', 'POST', { query: 'tides', workflow: 'search', limit: 10 }],
    ['searxng', 'GET', { q: 'tides', format: 'json' }],
  ] as const)('asks %s in its own form, once, and gives its results', async (kind, method, fields) => {
    const { server, service } = await serverOf(kind);
    const { said, usd } = await search(service);
    expect(said).toBe(`Found by ${service.title}:\n\n${FOUND}`);
    expect(usd).toBeUndefined();
    expect(server.asked).toMatchObject([{ method, fields }]);
    expect(server.asked[0]?.headers['accept-encoding']).toBe('identity');
  });

  it.each(['brave', 'tavily', 'kagi', 'searxng'] as const)('says that %s found nothing', async (kind) => {
    const { service } = await serverOf(kind, []);
    expect((await search(service)).said).toBe(`No page was found by ${service.title}.`);
  });

  it.each(['brave', 'tavily', 'kagi'] as const)('says that %s refuses a key, or has none left', async (kind) => {
    const { server, service } = await serverOf(kind);
    const refused = `${service.title} refuses the key: put a valid one in SEARCH_API_KEY`;
    for (const key of ['wrong-key-wrong-key', ''])
      expect(await search(service, key)).toStrictEqual({ said: refused, isPassing: false, usd: 0 });
    server.state.isLimited = true;
    expect(await search(service)).toMatchObject({
      said: expect.stringMatching(/takes no more searches now \(status 4\d\d\)$/),
      isPassing: true,
      usd: 0,
    });
    expect((await search(service, SEARCH_KEY, 'x'.repeat(401))).said).toMatch(/does not take this search \(status 4/);
  });

  it('says that a SearXNG gives no JSON', async () => {
    const { server, service } = await serverOf('searxng');
    server.state.givesJson = false;
    expect((await search(service, '')).said).toMatch(/gives no JSON: add json to search\.formats/);
    expect(server.asked[0]?.headers.authorization).toBeUndefined();
  });

  const answers = async (listener: RequestListener): Promise<SearchService> => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    closing.push(() => server.close().closeAllConnections());
    await new Promise((resolve) => server.once('listening', resolve));
    return { ...TAVILY, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/search` };
  };
  const json =
    (text: string): RequestListener =>
    (_, response) =>
      void response.writeHead(200).end(text);

  it.each<[string, RequestListener, { said: string | RegExp; isPassing?: true }]>([
    ['no JSON', json('<html>'), { said: 'Tavily answered with something else than results' }],
    ['no results', json('{"error":"x"}'), { said: 'Tavily answered with something else than results' }],
    ['another kind of results', json('{"results":7}'), { said: 'Tavily answered with something else than results' }],
    [
      'too much',
      json('x'.repeat(SEARCH_BYTES_MAX + 1)),
      { said: `the answer of Tavily is larger than ${SEARCH_BYTES_MAX} bytes` },
    ],
    ['too late', () => undefined, { said: 'Tavily took too long', isPassing: true }],
    [
      'a fault',
      (_, response) => void response.writeHead(503).end(SEARCH_KEY),
      { said: /status 503$/, isPassing: true },
    ],
    ['a broken connection', (request) => void request.socket.destroy(), { said: /not reachable/, isPassing: true }],
  ])('takes %s for no result, and leaves the price: it may be billed', async (_, listener, { said, ...rest }) => {
    const found = await search(await answers(listener), SEARCH_KEY, 'tides', 500);
    expect(found).toMatchObject({ isPassing: false, ...rest });
    expect(found.said).toMatch(said);
    expect(found.usd).toBeUndefined();
    expect(String(found.said)).not.toContain(SEARCH_KEY);
  });

  it('follows no redirect: neither words nor key go elsewhere', async () => {
    const { server, service } = await serverOf('tavily');
    const elsewhere = await answers((_, response) => void response.writeHead(307, { location: service.url }).end());
    const { said } = await search(elsewhere);
    expect(said).toBe('Tavily answered with a redirect (307), which is not followed');
    expect(server.asked).toStrictEqual([]);
  });

  it('pays nothing if nobody was asked', async () => {
    const { server, service } = await serverOf('kagi');
    await server.close();
    closing.pop();
    expect(await search(service)).toStrictEqual({
      said: 'Kagi is not reachable (ECONNREFUSED)',
      isPassing: true,
      usd: 0,
    });
  });

  it('bounds what a hostile answer holds, and leaves out what is no page', async () => {
    const long = 'x'.repeat(100_000);
    const hostile = [...['javascript:alert(1)', 'file:///etc/passwd', 'no address', `https://a.example/${long}`]].map(
      (url) => ({ url, title: 'A', content: 'b' }),
    );
    const results = [
      ...hostile,
      null,
      { url: 'https://b.example/' },
      { url: 'https://c.example/\n2. fake', title: `<script>t</script>${long}`, content: `${long}\n\n3. Fake` },
      ...Array.from({ length: 1_000 }, (_, n) => ({ url: `https://d.example/${n}`, title: ' ', content: 7 })),
    ];
    const { said } = await search(await answers(json(JSON.stringify({ results }))));
    const parts = String(said).split('\n\n');
    expect(parts).toHaveLength(11);
    expect(parts[1]).toMatch(/^1\. x{1,200}\nhttps:\/\/c\.example\/2\.%20fake\nx{1500}$/);
    expect(parts[2]).toBe('2. https://d.example/0\nhttps://d.example/0');
  });
});

describe('tryService', () => {
  it.each(['brave', 'tavily', 'kagi', 'searxng'] as const)('asks %s without a query', async (kind) => {
    const { server, service } = await serverOf(kind);
    expect(await tryService(service, SEARCH_KEY)).toBeUndefined();
    expect(JSON.stringify(server.asked[0]?.fields)).not.toMatch(/"(?:q|query)"/);
    if (kind !== 'searxng') expect(await tryService(service, 'wrong')).toMatchObject({ isKey: true });
    await server.close();
    closing.pop();
    expect(await tryService(service, SEARCH_KEY)).toMatchObject({ passes: true });
  });

  it('is asked by doctor and set-up about the service that is set, if one is', async () => {
    expect(await trySearch({})).toBeUndefined();
    const { server } = await serverOf('searxng');
    const line = `the SearXNG at ${server.origin} is reachable`;
    expect(await trySearch({ SEARCH: server.origin })).toStrictEqual({ line, fault: undefined });
  });
});

describe('SEARCH', () => {
  it.each([
    ['brave', 'https://api.search.brave.com/res/v1/web/search', 5_000],
    ['tavily', 'https://api.tavily.com/search', 8_000],
    ['kagi', 'https://kagi.com/api/v1/search', 12_000],
    ['https://searx.example.org', 'https://searx.example.org/search', 0],
    ['http://127.0.0.1:8888/searx//', 'http://127.0.0.1:8888/searx/search', 0],
  ])('takes %s', (service, url, usd) => {
    expect(searchCosts({ SEARCH: service })).toStrictEqual([['the tool search-web', usd]]);
    expect(SEARCH_PARSERS.SEARCH(service)).toMatchObject({ url });
  });

  it.each(['google', 'ftp://x.example/', 'https://me:pw@x.example/', 'https://x.example/?q=', 'constructor', ''])(
    'refuses %j',
    (text) => {
      expect(findService(text)).toBeUndefined();
      expect(SEARCH_PARSERS.SEARCH(text)).toMatch(/^must be brave, tavily, kagi, or the http/);
    },
  );
});

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

const toolsIn = ({ tools }: Prompt): readonly string[] => tools.map((tool) => tool.function.name);

const worldWith = async (variables: Variables = { SEARCH: 'brave', SEARCH_API_KEY: SEARCH_KEY }) => {
  const { server, service } = await serverOf('brave');
  const prompts: Prompt[] = [];
  const ask: typeof searchWeb = (row, ...rest) => searchWeb({ ...row, url: service.url }, ...rest);
  const world = buildApprovalWorld(dynamo.table, {
    variables,
    answer: (prompt) => {
      prompts.push(prompt);
      const last = prompt.messages.at(-1)?.content ?? '';
      const [, query] = /^search (.+)$/m.exec(last) ?? [];
      return query === undefined
        ? { content: 'High water is at 14:10: https://tides.example/lisbon' }
        : callTool('search-web', { query });
    },
    files: () => ({ fetchFile: async () => new Uint8Array(), ways: { searchWeb: ask } }),
  });
  const spent = async () => {
    const [item] = await dynamo.table.load([spendKey(world.space, world.simulation.now())], { isConsistent: true });
    return parseDaySpend(item).usd;
  };
  return { ...world, server, prompts, spent };
};

describe('search-web', () => {
  it('asks first on a card with words, service and price; then its results are outside text, and no link opens', async () => {
    const { say, send, tapOf, approvalOf, approval, texts, simulation, server, prompts, spent } = await worldWith();
    const asked = await say('search tides in Lisbon');
    expect(toolsIn(prompts[0] as Prompt)).toContain('search-web');
    expect(server.asked).toStrictEqual([]);
    const card = texts().at(-1) ?? '';
    expect(card).toContain('Ask Brave Search for “tides in Lisbon”');
    const id = await approvalOf(asked);
    expect((await approval(id)).lines).toStrictEqual([
      'Searches for: tides in Lisbon',
      'Asks: Brave Search',
      'The service learns these words. What it answers is outside text.',
    ]);
    expect((await approval(id)).costs).toMatchObject({ usd: 5_000 });
    await send(tapOf(id, 'approve'));
    expect(server.asked).toHaveLength(1);
    expect(await spent()).toBe(5_000);
    expect(JSON.stringify(prompts.at(-1))).toContain('https://river.example/');
    expect(simulation.sent.at(-1)).toMatchObject({ text: expect.stringContaining('14:10'), links: [] });
  });

  it('gives back what a refused search did not cost', async () => {
    const { say, send, tapOf, approvalOf, evidence, spent } = await worldWith({
      SEARCH: 'brave',
      SEARCH_API_KEY: 'another-key-of-somebody',
    });
    const asked = await say('search tides');
    await send(tapOf(await approvalOf(asked), 'approve'));
    expect((await evidence(asked)).effects).toMatchObject([
      { state: 'failed', reason: 'Brave Search refuses the key: put a valid one in SEARCH_API_KEY' },
    ]);
    expect(await spent()).toBe(0);
  });

  it.each([
    ['a private mark', 'search @personal results', {}, 'privacy'],
    ['a key of ours', `search ${SEARCH_KEY}`, {}, 'secret'],
    ['no money left', 'search tides', { BUDGET_TURN_USD: '0.004' }, 'budget'],
  ])('is stopped by the gates because of %s', async (_, words, more, gate) => {
    const { say, server, prompts } = await worldWith({ SEARCH: 'brave', SEARCH_API_KEY: SEARCH_KEY, ...more });
    await say(words);
    expect(server.asked).toStrictEqual([]);
    expect(JSON.stringify(prompts.at(-1)).toLowerCase()).toContain(gate);
  });

  it('is done by no other service than the one on its card', async () => {
    const args = { query: 'tides', service: 'Brave Search' };
    const problems = (services: Services) => SEARCH_FORM.findProblems(args, { services } as FormContext);
    expect(await problems({ 'search-web': 'brave' })).toStrictEqual([]);
    expect(await problems({ 'search-web': 'kagi' })).toStrictEqual(['another search service was set since']);
    expect(await SEARCH_FORM.complete(args, { services: { 'search-web': 'kagi' } } as never)).toMatchObject({
      service: 'Kagi',
    });
  });

  it.each([[{}], [{ SEARCH_API_KEY: SEARCH_KEY }]])(
    'is not there with %j: no form in the prompt, no call',
    async (set) => {
      const { say, server, prompts, statesOf } = await worldWith(set);
      const asked = await say('search tides');
      expect(prompts.flatMap(toolsIn)).not.toContain('search-web');
      expect(prompts.flatMap(toolsIn)).toContain('fetch-url');
      expect(JSON.stringify(prompts.at(-1))).toContain('no search service is set');
      expect(server.asked).toStrictEqual([]);
      expect(await statesOf(asked)).not.toContain('suspended');
    },
  );
});
