/**
 * A person lets in a server of tools that starts on his own machine, from a clean folder and by one
 * command; has it read a file and write one; and meets a server that changes, and one that dies.
 * npm fetches it from a registry on 127.0.0.1. Without bubblewrap the test says it was not run.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findSandbox } from '../../../infra/runner/sandbox.ts';
import { bundleToolServer } from '../../support/bundle-tool-server.ts';
import { call, type Script, say, toolResultsOf, userTextOf } from '../../support/model-server.ts';
import { until } from '../../support/stack.ts';
import { type Home, openHome } from '../support/home.ts';

const PACKAGE = '@example/server-box';

/** Results that the model was shown. */
const heard: string[] = [];
/** `read /path`, `write /path words`, `die /path`: a call of the server's tool of that name. */
const script: Script = (request) => {
  const [, tool, path, text] = /^(read|write|die) (\S+) ?(.*)$/m.exec(userTextOf(request)) ?? [];
  const results = toolResultsOf(request);
  if (tool === undefined) return say('ok');
  heard.push(...results);
  if (results.length > 0) return say(`It came to: ${results.at(-1)}`);
  return call(`mcp-files-${tool}`, { path, ...(tool === 'write' ? { text } : {}), explanation: 'he asked for it' });
};

const BLOCK = 512;
/** One file of a tar archive (POSIX.1-1988, ustar). */
const tarFile = (name: string, text: string): Buffer => {
  const head = Buffer.alloc(BLOCK);
  const body = Buffer.from(text);
  head.write(name, 0);
  head.write('0000644\0', 100);
  head.write('0000000\0'.repeat(2), 108);
  head.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124);
  head.write('00000000000\0', 136);
  head.write('        0', 148);
  head.write('ustar\0' + '00', 257);
  head.write(
    `${head
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return Buffer.concat([head, body, Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK)]);
};

/** A registry with one package, whose install script would leave a mark. */
const startRegistry = async (program: string, mark: string) => {
  const manifest = {
    name: PACKAGE,
    version: '1.2.3',
    type: 'module',
    bin: { 'server-box': 'server.mjs' },
    scripts: { install: `touch ${mark}` },
  };
  const archive = gzipSync(
    Buffer.concat([
      tarFile('package/package.json', JSON.stringify(manifest)),
      tarFile('package/server.mjs', program),
      Buffer.alloc(2 * BLOCK),
    ]),
  );
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    if (request.url?.endsWith('.tgz')) return response.end(archive);
    const dist = { tarball: `http://127.0.0.1:${port}/box.tgz`, integrity };
    const known = { name: PACKAGE, 'dist-tags': { latest: '1.2.3' }, versions: { '1.2.3': { ...manifest, dist } } };
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(known));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
};

let home: Home;
let registry: Awaited<ReturnType<typeof startRegistry>>;
beforeAll(async () => {
  home = await openHome(script);
  registry = await startRegistry(await bundleToolServer(), join(home.folder, 'installed'));
  home.set({ ...home.modelSettings });
  writeFileSync(join(home.folder, '.npmrc'), `registry=${registry.url}\ncache=${home.folder}/.npm\n`);
});
afterAll(async () => {
  await home?.close();
  registry?.close();
});

const send = (text: string) => home.paste(`npx passepartout send "${text}"`);
const waiting = async () => {
  const text = await home.paste('npx passepartout approvals --all');
  return { text, yes: /npx passepartout approve \S+/.exec(text)?.[0] ?? 'false' };
};

it('lets a server start here, and calls it with a yes', async ({ skip }) => {
  const sandbox = await findSandbox();
  if (sandbox.kind === 'none') return skip(sandbox.problem);
  await home.start();
  const notes = join(home.folder, 'notes');
  mkdirSync(notes);
  writeFileSync(join(notes, 'trip.txt'), 'the train leaves at 08:12');

  // One command: pairs, fetches, tries, writes down, shows.
  const added = await home.paste(`npx passepartout mcp add files --write notes -- npx -y ${PACKAGE} ${notes}`);
  for (const line of [
    'This machine is the runner home now.',
    `npm fetched ${PACKAGE}@1.2.3 and ran none of its scripts. It is not fetched again by itself.`,
    `It starts in a sandbox, reads nothing, changes ${notes}, and reaches nothing.`,
    'files on the machine home',
    'mcp-files-read (offered): "does read"; takes path',
    'So that calls reach it: npx passepartout runner start home',
  ])
    expect(added).toContain(line);
  expect(existsSync(join(home.folder, 'installed'))).toBe(false);
  const file = join(home.folder, '.passepartout-runner/home/runner.yaml');
  const written = readFileSync(file, 'utf8');
  expect(written).toContain('# What this machine allows its runner.');
  expect(written).toContain(`  files:\n    run: [ npx, "${PACKAGE}@1.2.3", ${notes} ]\n    write: [ ${notes} ]\n`);
  await home.paste(/npx passepartout mcp accept files [0-9a-f]{12}$/m.exec(added)?.[0] ?? 'false');

  const runner = home.open('npx passepartout runner start home');
  await runner.prints('files: 8 tools');

  await send(`read ${notes}/trip.txt`);
  const card = await waiting();
  for (const line of ['Called: mcp-files-read (webhook)', 'Address: runner://home/', 'trip.txt'])
    expect(card.text).toContain(line);
  await home.paste(card.yes);
  await runner.prints(': done');
  await until('the answer', () => heard.some((text) => text.includes('the train leaves at 08:12')));

  await send(`write ${notes}/new.txt hello`);
  expect(existsSync(join(notes, 'new.txt'))).toBe(false);
  await home.paste((await waiting()).yes);
  await until('it is written', () => existsSync(join(notes, 'new.txt')));

  // It dies in the middle: nobody knows, and nothing is called again.
  await send(`die ${notes}/died.txt`);
  await home.paste((await waiting()).yes);
  await runner.prints(': unknown');
  expect(existsSync(join(notes, 'died.txt'))).toBe(true);

  // It says something else of its tool: the yes comes too late, and the tool asks again.
  await send(`read ${notes}/trip.txt`);
  writeFileSync(join(notes, 'rug'), '');
  await home.paste((await waiting()).yes);
  await runner.prints('refused, the server changed its description of this tool');
  const listed = await home.paste('npx passepartout mcp list');
  expect(listed).toContain('mcp-files-read (CHANGED since it was accepted: off)');
  expect((await home.run('npx passepartout doctor')).out).toContain(
    'files on the machine home starts, and offers 8 tools',
  );
  rmSync(join(notes, 'rug'));

  expect(await home.paste('npx passepartout runner secret files API_TOKEN', 'tk-1\n')).toContain(
    'API_TOKEN is kept on this machine, for the server files alone.',
  );
  expect(await home.paste('npx passepartout mcp remove files')).toContain(`files is gone from ${file} too.`);
  expect(readFileSync(file, 'utf8')).not.toContain(PACKAGE);
  expect(existsSync(join(home.folder, '.passepartout-runner/home/servers/files'))).toBe(false);
  await runner.end();
  await home.paste('npx passepartout evidence export --out e.jsonl');
  expect(await home.paste('npx passepartout verify e.jsonl --anchor .passepartout/anchors/default.txt')).toContain(
    '4 jobs of runners: signed by Act, answered by the key that was paired',
  );
});
