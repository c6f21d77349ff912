/**
 * The MCP servers of the proof behind stdio: a paired machine starts a relay for each, in its real
 * sandbox. A relay has no network; it leaves each message in a folder of its own, and the proof
 * gives it to the server and puts the answer there.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pairRunner, startRunner } from '../../infra/runner/commands.ts';
import { runCli } from '../cli/cli-world.ts';
import type { StrangeServer } from '../support/mcp-server.ts';
import { APPROVER_TOKEN, type TestStack, until } from '../support/stack.ts';

const LOOK_MS = 5;

const RELAY = `
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const folder = process.argv[2];
let n = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const path = folder + '/' + process.pid + '-' + Date.now() + '-' + (n += 1);
  writeFileSync(path + '.new', line);
  renameSync(path + '.new', path + '.ask');
  if (JSON.parse(line).id === undefined) continue;
  const timer = setInterval(() => {
    if (!existsSync(path + '.answer')) return;
    clearInterval(timer);
    process.stdout.write(readFileSync(path + '.answer', 'utf8') + '\\n');
    rmSync(path + '.answer');
  }, ${LOOK_MS});
}
`;

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Gives the messages of a folder to the server, oldest first. */
const relay = async (folder: string, url: string): Promise<void> => {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.ask')) continue;
    const path = join(folder, name.slice(0, -'.ask'.length));
    const body = readFileSync(`${path}.ask`, 'utf8');
    rmSync(`${path}.ask`);
    const response = await fetch(url, { method: 'POST', headers, body });
    const text = await response.text();
    if (JSON.parse(body).id === undefined) continue;
    writeFileSync(`${path}.part`, text);
    renameSync(`${path}.part`, `${path}.answer`);
  }
};

export interface StdioMachine {
  readonly name: string;
  readonly stop: () => Promise<void>;
}

/** @returns a machine at work that has said what each server offers */
export const startStdioMachine = async (
  stack: TestStack,
  servers: ReadonlyMap<string, StrangeServer>,
): Promise<StdioMachine> => {
  const name = 'home';
  const root = mkdtempSync('/var/tmp/proof-');
  const env = { PASSEPARTOUT_RUNNER_DIR: join(root, 'runners') };
  const said: string[] = [];
  const context = { env, now: Date.now, report: (line: string) => void said.push(line) };
  const { out } = await runCli(['runners', 'pair', name], stack.dataDir, { env: { APPROVER_TOKEN } });
  const { folder } = await pairRunner(context, stack.stack.url, out.trim().split(' ').at(-1) ?? '');
  mkdirSync(join(root, 'bin'));
  writeFileSync(join(root, 'bin/relay.mjs'), RELAY);
  const entries = [...servers.keys()].map((server) => {
    mkdirSync(join(root, server));
    const run = ['node', join(root, 'bin/relay.mjs'), join(root, server)];
    return [server, { run, read: [join(root, 'bin')], write: [join(root, server)] }];
  });
  writeFileSync(join(folder, 'runner.yaml'), JSON.stringify({ memory: '1GB', servers: Object.fromEntries(entries) }));
  const ending = new AbortController();
  const busy = new Set<string>();
  const timer = setInterval(() => {
    for (const [server, { url }] of servers) {
      if (busy.has(server)) continue;
      busy.add(server);
      void relay(join(root, server), url).finally(() => busy.delete(server));
    }
  }, LOOK_MS);
  const over = startRunner(context, ending.signal, name);
  await until(`all servers are listed; it said: ${said.join('\n')}`, () =>
    [...servers.keys()].every((server) => said.some((line) => line.startsWith(`${server}: `))),
  );
  return {
    name,
    stop: async () => {
      ending.abort();
      await over;
      clearInterval(timer);
      rmSync(root, { recursive: true, force: true });
    },
  };
};
