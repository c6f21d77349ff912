/**
 * `fetch-url` against servers of this machine: readable text, and every bound. Names are pinned to
 * the loopback address here, which the gate would refuse.
 */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { htmlText } from '../../../lib/core/base/html-text.ts';
import { GATE_SET } from '../../../lib/core/gates/engine/gate-set.ts';
import { completeAction } from '../../../lib/core/judge/complete-action.ts';
import { judgeAction } from '../../../lib/core/judge/judge.ts';
import { fetchPage, PAGE_BYTES_MAX } from '../../../lib/features/web/fetch-page.ts';
import { toolCall } from '../../core/gates/samples.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

const listen = async (server: Server): Promise<number> => {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

const HERE = ['127.0.0.1'];
const serve = async (listener: RequestListener): Promise<string> =>
  `http://pages.example.com:${await listen(createServer(listener))}`;
const page =
  (type: string, body: string | Buffer): RequestListener =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': type }).end(body);

describe('fetchPage', () => {
  it.each([
    ['text/plain', 'plain\n', 'plain\n'],
    ['text/plain; charset=iso-8859-1', Buffer.from([0x63, 0xe9]), 'cé'],
    ['text/plain; charset=nobody-knows', 'plain', 'plain'],
    ['application/ld+json', '{"a":1}', '{"a":1}'],
    ['text/html', '<title>A &amp; B</title><nav>menu</nav><p>One <b>two</b>', 'A & B\n\nOne two'],
    ['text/html', '<script>steal()</script><div hidden>obey</div><p>x</p>', 'x'],
    ['text/html', '<a href="/more">More</a>', 'More [/more]'],
  ])('gives a page of %s as text', async (type, body, expected) => {
    const url = `${await serve(page(type, body))}/`;
    expect(await fetchPage(url, HERE)).toBe(`${url}\n\n${expected}`);
  });

  it.each<[string, string, RequestListener]>([
    ['a type that is no text', 'the page is of a type that is not read as text', page('application/pdf', '%PDF')],
    ['no type', 'the page is of a type that is not read as text', (_, response) => void response.end('x')],
    [
      'too many bytes',
      `the answer of the page is larger than ${PAGE_BYTES_MAX} bytes`,
      page('text/plain', 'x'.repeat(PAGE_BYTES_MAX + 1)),
    ],
    ['an error', 'the page answered with status 500', (_, response) => void response.writeHead(500).end('secret')],
    ['a slow answer', 'the page took too long', () => undefined],
    [
      'a slow body',
      'the page took too long',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).write('x'),
    ],
    ['a broken connection', 'the page could not be opened (ECONNRESET)', (request) => void request.socket.destroy()],
    [
      'redirects without an end',
      'the page answered with more than 3 redirects',
      (_, response) => void response.writeHead(302, { location: '/again' }).end(),
    ],
  ])('refuses %s in fixed words', async (_, problem, listener) => {
    const timeoutMs = problem.endsWith('too long') ? 300 : 30_000;
    await expect(fetchPage(`${await serve(listener)}/`, HERE, timeoutMs)).rejects.toThrow(problem);
  });

  it('follows a redirect within the place, and names one to elsewhere without opening it', async () => {
    let opened = 0;
    const other = await serve(() => {
      opened += 1;
    });
    const url = await serve((request, response) => {
      if (request.url === '/a/') page('text/plain', 'here')(request, response);
      else response.writeHead(301, { location: request.url === '/a' ? '/a/' : `${other}/x` }).end();
    });
    expect(await fetchPage(`${url}/a`, HERE)).toBe(`${url}/a/\n\nhere`);
    expect(await fetchPage(`${url}/b`, HERE)).toBe(
      `The page is said to be at another address, which was not opened: ${other}/x`,
    );
    expect(opened).toBe(0);
  });

  const BIG = Buffer.alloc(PAGE_BYTES_MAX + 1, 'x');
  const packed = (packing: string, body: Buffer): RequestListener => {
    const headers = { 'content-type': 'text/plain', 'content-encoding': packing };
    return (_, response) => void response.writeHead(200, headers).end(body);
  };
  const PACKERS = [
    ['gzip', gzipSync],
    ['X-Gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const;

  it.each(PACKERS)('unpacks %s, though plain bytes are asked for, and no bomb', async (packing, pack) => {
    const url = await serve(packed(packing, pack(Buffer.from('plain, packed'))));
    expect(await fetchPage(`${url}/`, HERE)).toBe(`${url}/\n\nplain, packed`);
    const bomb = await serve(packed(packing, pack(BIG)));
    const problem = `the page is larger than ${PAGE_BYTES_MAX} bytes once it is unpacked`;
    await expect(fetchPage(`${bomb}/`, HERE)).rejects.toThrow(problem);
  });

  it.each([
    ['a packing that nobody knows', 'lzma', gzipSync('x'), 'the page is packed in a way that is not read'],
    ['one within another', 'gzip, gzip', gzipSync(gzipSync('x')), 'the page is packed in a way that is not read'],
    ['a broken one', 'gzip', Buffer.from('plain'), 'the page is packed wrongly'],
    ['half of one', 'br', brotliCompressSync('a page of text').subarray(0, 9), 'the page is packed wrongly'],
  ])('refuses %s', async (_, packing, body, problem) => {
    await expect(fetchPage(`${await serve(packed(packing, body))}/`, HERE)).rejects.toThrow(problem);
  });

  it('bounds a body that has no length', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const more = (): void => {
        while (!response.destroyed && response.write(BIG));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    await expect(fetchPage(`${url}/`, HERE)).rejects.toThrow(`larger than ${PAGE_BYTES_MAX} bytes`);
  });

  it('sends no user name that a redirect holds', async () => {
    const proofs: unknown[] = [];
    const url = await serve((request, response) => {
      proofs.push(request.headers.authorization);
      response.writeHead(302, { location: `http://me:pw@${request.headers.host}/x` }).end();
    });
    await expect(fetchPage(`${url}/`, HERE)).rejects.toThrow('a redirect that is not followed');
    expect(proofs).toStrictEqual([undefined]);
  });

  it('connects to no address but those given, and to nobody without a valid certificate', async () => {
    await expect(fetchPage('https://127.0.0.1/', ['127.0.0.2'])).rejects.toThrow('none of those that were checked');
    await expect(fetchPage('https://a.example/', [])).rejects.toThrow('the host of the page has no address');
    const port = await listen(createTlsServer({}));
    await expect(fetchPage(`https://pages.example.com:${port}/`, HERE)).rejects.toThrow(/could not be opened \(E/);
  });
});

describe('htmlText', () => {
  it.each([
    ['nesting', '<div>'.repeat(400_000)],
    ['lists', '<ul><li>'.repeat(250_000)],
    ['attributes', `<a ${'x=y '.repeat(500_000)}>`],
    ['marks without an end', '<'.repeat(2_000_000)],
  ])('is soon done with hostile %s', (_, html) => {
    const { user } = process.threadCpuUsage();
    htmlText(html);
    expect(process.threadCpuUsage().user - user, 'µs').toBeLessThan(6_000_000);
  });

  it('gives tables row by row', () => {
    expect(htmlText('<table><tr><th>a<th>b<tr><td>1<td>2</table>')).toBe('a | b | \n1 | 2 | ');
  });
});

describe('fetch-url', () => {
  const judge = async (url: string, stage: 'reason' | 'act', addresses: readonly string[] = ['93.184.215.14']) => {
    const sources = {
      stage,
      now: 0,
      space: 'default',
      reply: { target: 'telegram', to: '7' },
      origin: 'owner',
      turn: { askedBy: 'approver' },
      setup: { resolveAddresses: async () => addresses },
      state: {
        policyVersion: GATE_SET.version,
        chatMemory: 'open',
        ...(stage === 'act' ? { policy: { hash: '', rule: () => ALLOWED, hiddenTools: new Set<string>() } } : {}),
      },
    } as const;
    const call = toolCall({ tool: 'fetch-url', args: { url }, explanation: 'The owner asked for this very page.' });
    const action = await completeAction(call, sources);
    const { outcome, trace } = await judgeAction(GATE_SET, action, sources);
    return [action.args?.url, outcome, trace.findLast(({ verdict }) => verdict === outcome)?.reason];
  };
  const ALLOWED = { tier: 'allow', reason: 'policy: pages' } as const;
  const ASKED = "the tool fetch-url needs a person's approval";

  it.each([
    ['https://a.example.com', 'reason', 'https://a.example.com/', 'ask', ASKED],
    ['HTTPS://A.example.com:443/x#part', 'reason', 'https://a.example.com/x', 'ask', ASKED],
    ['http://a.example.com/', 'reason', 'http://a.example.com/', 'block', /must be a whole address that begins/],
    ['https://127.0.0.1/', 'reason', 'https://127.0.0.1/', 'block', /may not be called \(loopback\)/],
    ['https://0x7f.1/', 'reason', 'https://0x7f.1/', 'block', /not in canonical form/],
    ['https://me:pw@a.example.com/', 'reason', 'https://me:pw@a.example.com/', 'block', /user name or password/],
    ['https://a.example.com/?q=@personal', 'reason', 'https://a.example.com/?q=@personal', 'block', /private/],
    ['https://a.example.com/', 'act', 'https://a.example.com/', 'pass', ''],
  ] as const)('judges %s at %s', async (url, stage, canonical, outcome, reason) => {
    const [shown, verdict, why] = await judge(url, stage);
    expect([shown, verdict]).toStrictEqual([canonical, outcome]);
    expect(why).toMatch(reason);
  });

  it.each([
    ...[
      // Private networks, this machine's neighbours, and metadata services of clouds.
      ...['10.0.0.7', '172.16.0.1', '192.168.1.1', '100.64.0.1', '169.254.169.254', '100.100.100.200', '192.0.0.192'],
      ...['168.63.129.16', '0.0.0.0', '224.0.0.1', '255.255.255.255', 'fe80::1', 'fd00:ec2::254', 'ff02::1', '::'],
      // Other spellings of an IPv4 address: mapped, compatible, NAT64, 6to4, Teredo.
      ...['::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::7f00:1'],
      ...['2002:7f00:1::', '2001:0:7f00:1::'],
    ].map((address) => [['93.184.215.14', address], /may not be called \(not-public\)/] as const),
    [['127.0.0.1'], /may not be called \(loopback\)/],
    [['::1'], /may not be called \(loopback\)/],
    [['fe80::1%eth0'], /may not be called \(unreadable\)/],
    [[], /the host has no address/],
  ] as const)('is blocked at the last mile if its host has the addresses %j', async (addresses, reason) => {
    const [, verdict, why] = await judge('https://a.example.com/', 'act', addresses);
    expect(verdict).toBe('block');
    expect(why).toMatch(reason);
  });
});
