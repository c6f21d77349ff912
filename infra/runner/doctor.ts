/** The check of `doctor` for servers of tools that this machine starts: each is started once. */
import { type Check, type FeatureCheck, MENDS, ok, wrong } from '../cli/doctor/check.ts';
import { printable } from '../cli/terminal.ts';
import { readAllowFile } from './allow-file.ts';
import { listServer } from './mcp-servers.ts';
import { listRunnerNames, openRunnerFolder } from './runner-folder.ts';
import { findSandbox } from './sandbox.ts';

const NAME = 'MCP server';

const checkMachine = async (env: Parameters<typeof openRunnerFolder>[0], runner: string): Promise<readonly Check[]> => {
  const folder = openRunnerFolder(env, runner);
  const read = readAllowFile(folder.places);
  // `runner check` names its faults.
  const { allowed } = read.kind === 'problems' ? { allowed: undefined } : read;
  if (allowed === undefined || allowed.servers.length === 0) return [];
  const found = await findSandbox();
  if (found.kind === 'none') return [wrong(NAME, `${runner}: ${printable(found.problem)}`, MENDS.server)];
  const checks: Check[] = [];
  for (const server of allowed.servers) {
    const { problem, tools } = await listServer(server, { ...found, folder, allowed, trees: new Map() });
    const place = `${server.name} on the machine ${runner}`;
    checks.push(
      problem === undefined
        ? ok(NAME, `${place} starts, and offers ${tools.length} tools`)
        : wrong(NAME, `${place}: ${printable(problem)}`, MENDS.server),
    );
  }
  return checks;
};

export const checkMachineServers: FeatureCheck = async ({ env, text }) => {
  if (text('stack') !== undefined) return [];
  const checks: Check[] = [];
  for (const runner of listRunnerNames(env)) checks.push(...(await checkMachine(env, runner)));
  return checks;
};
