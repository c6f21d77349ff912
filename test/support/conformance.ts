/** Runs scenarios of the client half of the protocol's own conformance suite. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';

const run = promisify(execFile);
const suite = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const program = fileURLToPath(new URL('../features/mcp/conformance-client.ts', import.meta.url));
const client = `${process.execPath} ${program}`;

export const listScenarios = async (): Promise<readonly string[]> => {
  const { stdout } = await run(process.execPath, [suite, 'list', '--client']);
  return [...stdout.matchAll(/^ +- (\S+)/gm)].map(([, name = '']) => name);
};

/** @returns the line that counts the checks, and the verdict */
export const runScenario = async (scenario: string): Promise<string> => {
  const words = [suite, 'client', '--command', client, '--scenario', scenario, '--timeout', '120000'];
  const { stdout, stderr } = await run(process.execPath, words, { maxBuffer: 1e8 }).catch((error) => error);
  const said = stripVTControlCharacters(`${stdout}${stderr}`);
  return said.slice(said.lastIndexOf('Test Results:'));
};
