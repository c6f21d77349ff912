/**
 * Servers of tools that a machine starts: a real one, in the real sandbox, called by signed orders.
 * What it sees, what of it is refused, and what becomes of a call that it does not end.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readAllowFile } from '../../../infra/runner/allow-file.ts';
import { listServer } from '../../../infra/runner/mcp-servers.ts';
import type { JsonObject } from '../../../lib/core/base/json.ts';
import { type Action, actionHash } from '../../../lib/core/signal/action.ts';
import type { McpTool } from '../../../lib/core/tools/mcp-catalogue.ts';
import { buildMcpTools } from '../../../lib/features/mcp/build-tools.ts';
import type { Order } from '../../../lib/features/runner/order.ts';
import { bundleToolServer } from '../../support/bundle-tool-server.ts';
import { makeCertificate } from '../../support/certificate.ts';
import { ENV_TEXT, inSandbox, makeMachine, type TestMachine } from './machine.ts';
import { buildOrder, type PairedMachine, pairMachine } from './orders.ts';

let program: string;
beforeAll(async () => {
  program = await bundleToolServer();
});
const opened: PairedMachine[] = [];
afterEach(() => {
  for (const { machine } of opened.splice(0)) machine.servers.endAll();
});

const SECRET = 'sk-of-this-server-alone';

/** A machine whose file names the server `box`, and one beside it, `other`. */
const open = async (sandbox: Parameters<typeof pairMachine>[0], more = '') => {
  const at = makeMachine();
  const tools = join(at.home, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'server.mjs'), program);
  const entry = (name: string, secrets: string): string =>
    `  ${name}:\n    run: [node, ${tools}/server.mjs, ${at.work}]\n    read: [${tools}]\n    write: [${at.work}]\n    secrets: [${secrets}]\n`;
  const text = `folders: { read: [${at.notes}], write: [${at.work}] }\nmemory: 1GB\ntime: 20s\nservers:\n${entry('box', 'API_TOKEN')}${more}${entry('other', '')}`;
  const paired = await pairMachine(sandbox, at, text);
  opened.push(paired);
  paired.machine.folder.setSecret('box', 'API_TOKEN', SECRET);
  const offerOf = async (name: string) => {
    const read = readAllowFile(paired.machine.folder.places);
    if (read.kind === 'problems') throw new Error(JSON.stringify(read.problems));
    const { allowed } = read;
    const server = allowed.servers.find((one) => one.name === name);
    if (server === undefined) throw new Error(`no ${name}`);
    return listServer(server, { sandbox, folder: paired.machine.folder, allowed, trees: new Map() });
  };
  const toolsOf = async (name: string): Promise<readonly McpTool[]> => {
    const offer = await offerOf(name);
    if (offer.problem !== undefined) throw new Error(offer.problem);
    return buildMcpTools(
      name,
      offer.tools.map(({ isRead, ...one }) => ({ ...one, annotations: { readOnlyHint: isRead } })),
    );
  };
  return { at, paired, offerOf, toolsOf };
};

const orderOf = (
  found: McpTool | undefined,
  args: JsonObject,
  changes: Partial<Action> = {},
  more: Partial<Order> = {},
): Order => {
  const { remote = '', name = '', hash = '0'.repeat(64) } = found ?? {};
  const action: Action = {
    target: 'webhook',
    tool: name,
    to: name.split('-').slice(0, 2).join('-'),
    url: 'runner://den/',
    args,
    explanation: 'because it was asked for',
    author: 'model',
    ...changes,
  };
  return buildOrder('shell', {}, { action, actionHash: actionHash(action), expects: { remote, name, hash }, ...more });
};

describe('a server of tools on a machine', () => {
  inSandbox('sees its folders, its variables and nothing else', async (sandbox) => {
    const { at, paired, toolsOf } = await open(sandbox);
    const tools = await toolsOf('box');
    const call = async (remote: string, args: JsonObject) => {
      const result = await paired.deliver(
        orderOf(
          tools.find((one) => one.remote === remote),
          args,
        ),
      );
      return { state: result?.state, text: result?.text ?? '', changed: result?.changed.map(({ path }) => path) };
    };
    expect(tools.map(({ remote, declaresRead = false }) => [remote, declaresRead])).toStrictEqual([
      ['read', true],
      ...['write', 'env', 'flood', 'count', 'die', 'wait', 'fetch'].map((name) => [name, false]),
    ]);
    expect(await call('read', { path: join(at.work, 'a.txt') })).toMatchObject({
      state: 'done',
      text: 'one\ntwo\nthree\n',
    });
    const made = join(at.work, 'made.txt');
    expect(await call('write', { path: made, text: 'x' })).toStrictEqual({
      state: 'done',
      text: 'written',
      changed: [made],
    });
    // Another folder of the machine, a key, and the runner's own.
    for (const path of [
      join(at.notes, 'n.txt'),
      join(at.home, '.ssh/id_rsa'),
      join(at.work, 'deep/.env'),
      join(paired.folder, 'key'),
    ]) {
      const { text } = await call('read', { path });
      expect([text, path]).toStrictEqual([expect.stringMatching(/ENOENT|EACCES/), path]);
      expect(text).not.toContain(ENV_TEXT);
    }
    const { text } = await call('env', {});
    expect(JSON.parse(text)).toMatchObject({ API_TOKEN: '[API_TOKEN]', HOME: at.home });
    expect(text).not.toContain(SECRET);
    expect(
      Object.keys(JSON.parse(text)).filter(
        (name) =>
          !/^(?:API_TOKEN|PATH|HOME|USER|LANG|TERM|PAGER|TMPDIR|XDG_CACHE_HOME|npm_config_cache|GIT_\w+|PWD|OLDPWD|SHLVL|_)$/.test(
            name,
          ),
      ),
    ).toStrictEqual([]);
    expect(await call('fetch', { url: 'https://93.184.215.14/' })).toMatchObject({
      text: expect.stringContaining('no way to it'),
    });
    // A process of its own, for as long as it is in use.
    expect([(await call('count', {})).text, (await call('count', {})).text]).toStrictEqual(['1', '2']);
    // A command may have put a secret where it looks, so it starts anew; so may another server.
    mkdirSync(join(at.work, 'new'));
    writeFileSync(join(at.work, 'new/.env'), ENV_TEXT);
    await paired.deliver(buildOrder('shell', { cmd: 'cp a.txt b.txt', folder: at.work }));
    expect((await call('read', { path: join(at.work, 'new/.env') })).text).toMatch(/EACCES/);
    expect((await call('count', {})).text).toBe('1');
    const theirs = (await toolsOf('other')).find(({ remote }) => remote === 'count');
    await paired.deliver(orderOf(theirs, {}));
    expect((await call('count', {})).text).toBe('1');
  });

  inSandbox('reaches the hosts that are named for it, by https alone', async (sandbox) => {
    const { key, cert } = makeCertificate('localhost', Date.now());
    const seen: string[] = [];
    const web = createServer({ key, cert }, (request, response) => {
      seen.push(String(request.headers.host));
      response.end('from the named host');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => web.once('listening', resolve));
    const { port } = web.address() as AddressInfo;
    try {
      const at = `run: [node, $HOME/tools/server.mjs, $HOME/site]\n    read: [$HOME/tools]\n    hosts: ["localhost:${port}"]\n    env: { NODE_TLS_REJECT_UNAUTHORIZED: "0" }\n`;
      const { paired, toolsOf } = await open(sandbox, `  web:\n    ${at}`);
      const fetchTool = (await toolsOf('web')).find(({ remote }) => remote === 'fetch');
      const get = async (url: string) => (await paired.deliver(orderOf(fetchTool, { url })))?.text;
      expect(await get(`https://localhost:${port}/`)).toBe('from the named host');
      for (const url of [
        `https://127.0.0.1:${port}/`,
        `https://localhost:${port + 1}/`,
        'https://example.com/',
        `http://localhost:${port}/`,
      ])
        expect([url, await get(url)]).toStrictEqual([url, expect.stringMatching(/no way to it/)]);
      expect(seen).toHaveLength(1);
    } finally {
      web.close();
    }
  });

  inSandbox('is called once, whatever becomes of it: an end in the middle is unknown', async (sandbox) => {
    const { at, paired, toolsOf } = await open(sandbox);
    const tools = await toolsOf('box');
    const named = (remote: string) => tools.find((one) => one.remote === remote);
    const done = join(at.work, 'died.txt');
    const job = orderOf(named('die'), { path: done });
    const died = await paired.deliver(job);
    expect(died).toMatchObject({ state: 'unknown', reason: expect.stringContaining('I am out of luck') });
    expect(readFileSync(done, 'utf8')).toBe('done');
    // The same order again is no order.
    writeFileSync(done, 'again?');
    expect(await paired.deliver(job)).toBeUndefined();
    expect(readFileSync(done, 'utf8')).toBe('again?');
    // The next call finds a server that was started anew.
    expect(await paired.deliver(orderOf(named('count'), {}))).toMatchObject({ state: 'done', text: '1' });

    const begun = join(at.work, 'begun.txt');
    const waiting = orderOf(named('wait'), { path: begun });
    const ended = paired.deliver(waiting);
    await expect.poll(() => existsSync(begun), { interval: 20 }).toBe(true);
    paired.machine.running.get(waiting.id)?.('it was stopped');
    expect(await ended).toMatchObject({ state: 'unknown', reason: 'it was stopped: it may have done it' });
    expect(await paired.deliver(orderOf(named('flood'), {}))).toMatchObject({ state: 'unknown' });
    expect(await paired.deliver(orderOf(named('count'), {}))).toMatchObject({ state: 'done', text: '1' });
  });

  inSandbox('calls nothing for these orders', async (sandbox) => {
    const { at, paired, toolsOf } = await open(sandbox);
    const tools = await toolsOf('box');
    const write = tools.find(({ remote }) => remote === 'write');
    const read = tools.find(({ remote }) => remote === 'read');
    const path = join(at.work, 'harm.txt');
    const args = { path, text: 'harm' };
    const refusals: readonly (readonly [string, Order, string | undefined])[] = [
      [
        'a tool that was accepted otherwise',
        orderOf(write && { ...write, hash: '1'.repeat(64) }, args),
        'changed its description',
      ],
      [
        'another tool under an accepted name',
        orderOf(write, args, {}, { expects: { remote: 'write', name: 'mcp-box-write', hash: read?.hash ?? '' } }),
        'changed its description',
      ],
      [
        'a read that was accepted as one, and is none',
        orderOf(
          write,
          args,
          {},
          { expects: { remote: 'write', name: 'mcp-box-write', hash: write?.hash ?? '', passes: true } },
        ),
        'changed its description',
      ],
      [
        'a tool of another server',
        orderOf(write, args, { tool: 'mcp-other-write', to: 'mcp-other' }),
        'does not say how the tool was accepted',
      ],
      [
        'a server that the file does not name',
        orderOf(
          write,
          args,
          { tool: 'mcp-evil-write', to: 'mcp-evil' },
          { expects: { remote: 'write', name: 'mcp-evil-write', hash: write?.hash ?? '' } },
        ),
        'names no server evil',
      ],
      [
        'an order without the accepted tool',
        (({ expects: _, ...rest }) => rest)(orderOf(write, args)),
        'does not say how the tool was accepted',
      ],
      ['another machine', orderOf(write, args, { url: 'runner://other/' }), undefined],
      ['an address elsewhere', orderOf(write, args, { url: 'https://example.com/' }), undefined],
    ];
    for (const [name, job, why] of refusals) {
      const result = await paired.deliver(job);
      expect([name, result?.state, result?.reason]).toStrictEqual(
        why === undefined ? [name, undefined, undefined] : [name, 'refused', expect.stringContaining(why)],
      );
    }
    // Two tools of one name: neither can be called.
    writeFileSync(join(at.work, 'more'), '');
    expect(await paired.deliver(orderOf(write, args))).toMatchObject({ state: 'refused' });
    expect(existsSync(path)).toBe(false);
    // The stack hears what the server says now.
    writeFileSync(join(at.work, 'rug'), '');
    paired.machine.servers.noteChange([at.work]);
    expect(await paired.deliver(orderOf(read, { path: join(at.work, 'a.txt') }))).toMatchObject({
      state: 'refused',
      text: expect.not.stringContaining('three'),
    });
    expect(paired.test.offers.at(-1)?.tools.find(({ name }) => name === 'read')?.description).toContain('evil.example');
  });

  inSandbox('does not start, and says why', async (sandbox) => {
    const { offerOf } = await open(
      sandbox,
      '  gone:\n    run: [no-such-program]\n  lone:\n    run: [npx, "some-server@1.0.0"]\n  keyed:\n    run: [node]\n    secrets: [MISSING]\n  mute:\n    run: [cat]\n',
    );
    const said = async (name: string) => (await offerOf(name)).problem;
    expect(await said('gone')).toMatch(/^the server gone does not start: .*no-such-program: not found/);
    expect(await said('lone')).toBe('some-server@1.0.0 is not on this machine: npx passepartout mcp add fetches it');
    expect(await said('keyed')).toBe('its secret MISSING is not set: npx passepartout runner secret keyed MISSING');
    expect(await said('mute')).toMatch(/^the server mute does not start: /);
  });
});

describe('the servers of runner.yaml', () => {
  it.each([
    ['a folder of the system', 'run: [node]\n    read: [/etc]', '/etc: this is a folder of the system'],
    ['no program', 'read: []', 'run'],
    ['a host with a path', 'run: [node]\n    hosts: ["example.com/x"]', 'give a host, as in api.example.com'],
    ['a variable with a sign', 'run: [node]\n    secrets: ["a-b"]', 'give the name of a variable, as in API_TOKEN'],
    ['an unknown field', 'run: [node]\n    network: true', 'network'],
  ])('are refused with %s', async (_, entry, problem) => {
    const at: TestMachine = makeMachine();
    const { parseAllowFile } = await import('../../../infra/runner/allow-file.ts');
    const read = parseAllowFile(`servers:\n  box:\n    ${entry}\n`, 'runner.yaml', {
      home: at.home,
      runnerFolder: join(at.root, 'runner'),
    });
    expect(read.kind === 'problems' ? read.problems.map((one) => one.problem).join() : '').toContain(problem);
  });
});
