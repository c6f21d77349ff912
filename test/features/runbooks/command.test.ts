import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../../cli/cli-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'passepartout-runbook-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (name: string, lines: readonly string[]): string => {
  const path = join(folder, name);
  writeFileSync(path, lines.join('\n'));
  return path;
};
const HEAD = ['name: tidy', 'description: Tidies up.', 'inputs: { room: { meaning: Which room } }'];
const good = fileOf('good.yaml', [...HEAD, 'steps: [{ text: "Tidy {{inputs.room}}" }]']);
const bad = fileOf('bad.yaml', [...HEAD, 'steps:', '  - text: "{{inputs.house}}"', '  - wait: soon']);
const unknown = fileOf('unknown.yaml', [...HEAD, 'tools: [fly, add-skill]', 'steps: [{ tool: fly }]']);

describe('passepartout runbook', () => {
  it.each<[string, readonly string[], number, string]>([
    ['checks a good file', ['check', good], 0, '1. text: Tidy {{inputs.room}}\nnothing is wrong with it\n'],
    [
      'names every fault of a bad one',
      ['check', bad],
      1,
      'bad.yaml line 5: there is no input house\nbad.yaml line 6: must be a time such as 30s, 5m, 2h or 1d\n',
    ],
    [
      'names tools that no step can call',
      ['check', unknown],
      1,
      'unknown.yaml: there is no tool fly\nunknown.yaml: a runbook cannot use the tool add-skill\n',
    ],
    ['says that a file cannot be read', ['check', join(folder, 'none.yaml')], 2, 'cannot be read'],
    ['asks for inputs before anything is sent', ['run', good], 2, 'the input room is missing: Which room'],
    ['reads inputs', ['run', good, '--input', 'room'], 2, '--input needs a name and a value, such as service=shop'],
    ['tells its usage', ['stop'], 2, 'usage: npx passepartout runbook stop <run>'],
  ])('%s', async (_, words, code, said) => {
    const ran = await runCli(['runbook', ...words], folder);
    expect(ran.code).toBe(code);
    expect(`${ran.out}${ran.err}`).toContain(said);
  });
});
