/**
 * The tools of the owner's machine through Reason and Act, as far as the cloud decides: who is
 * offered them, what passes, what is asked on which card, and what the gates stop.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../lib/core/base/json.ts';
import { parseDecision } from '../../lib/core/ledger/ledger.ts';
import type { Prompt } from '../../lib/core/prompt/build-prompt.ts';
import { runnerKeys, signalKeys } from '../../lib/core/store/keys.ts';
import type { Runner } from '../../lib/features/runner/runners.ts';
import { buildRunbookWorld, RUN, withSteps } from '../features/runbooks/runbook-world.ts';
import { startDynamo } from '../support/dynamo.ts';
import { buildSimulation, ownerMessage } from '../support/simulation.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const laptop: Runner = {
  name: 'laptop',
  publicKey: 'k',
  slot: 1,
  pairedAt: 0,
  pairedBy: 'telegram:7',
  isPaused: false,
  allow: {
    hash: '0'.repeat(64),
    home: '/home/ada',
    read: ['/home/ada'],
    write: ['/home/ada/site'],
    programs: [],
    hasNetwork: false,
  },
};

const pair = (space: string, ...runners: readonly Runner[]) =>
  dynamo.table.put(runnerKeys.list(space), { schemaVersion: 1, round: 1, runners: [...runners] });

const NAMES = ['shell', 'read-file', 'write-file', 'edit-file', 'list-files', 'search-files'];
const WHY = 'The owner asked for exactly this a minute ago, in these words.';

let spaces = 0;
/** One message of the owner; the model answers with this call, then with a text. */
const turn = async (runners: readonly Runner[], call?: { readonly tool: string; readonly args: JsonObject }) => {
  spaces += 1;
  const space = `machine-tools-${spaces}`;
  if (runners.length > 0) await pair(space, ...runners);
  const prompts: Prompt[] = [];
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: (prompt) => {
      prompts.push(prompt);
      if (call === undefined || prompts.length > 1) return { content: 'Done.' };
      const argumentsText = JSON.stringify({ ...call.args, explanation: WHY });
      return { toolCalls: [{ id: 'c1', name: call.tool, argumentsText }] };
    },
  });
  await simulation.accept(ownerMessage(space, 1, 'please do it'));
  await simulation.drain();
  const [item] = await dynamo.table.load([signalKeys.decision(space, 'tg-1-1')], { isConsistent: true });
  const decision = item && parseDecision('tg-1-1', item);
  const attempt = decision?.attempt?.judged[0] ?? decision?.actions[0];
  const texts = simulation.sent.map(({ text = '' }) => text);
  return {
    prompt: prompts[0],
    prompts,
    attempt,
    texts,
    card: texts.find((text) => /^Details \(waits for your yes/m.test(text)),
  };
};

const offered = (prompt: Prompt | undefined): readonly string[] =>
  (prompt?.tools ?? []).map((tool) => tool.function.name).filter((name) => NAMES.includes(name));

describe('the tools of a machine', () => {
  it('are offered, with their folders, only while a machine is paired and not paused', async () => {
    const [without, paused, paired] = await Promise.all([
      turn([]),
      turn([{ ...laptop, isPaused: true }]),
      turn([laptop]),
    ]);
    expect([offered(without.prompt), offered(paused.prompt)]).toStrictEqual([[], []]);
    expect(without.prompt?.tokens).toBe(paused.prompt?.tokens);
    expect(offered(paired.prompt)).toStrictEqual(NAMES);
    const line = "- The owner's machine laptop, without network: read below /home/ada/site, /home/ada; write below";
    expect(paired.prompt?.system).toContain(line);
    expect(without.prompt?.system).not.toContain('laptop');
  });

  it.each<[string, JsonObject, string]>([
    ['read-file', { path: '~/.ssh/id_ed25519' }, 'secret-paths'],
    ['read-file', { path: 'sub/../.env' }, 'secret-paths'],
    ['write-file', { path: '~/site/.env', content: 'A=1' }, 'secret-paths'],
    ['edit-file', { path: '~/site/.env', find: 'A', replace: 'B' }, 'secret-paths'],
    ['list-files', { path: '~/.aws' }, 'secret-paths'],
    ['read-file', { path: '/etc/hostname' }, 'confinement'],
    ['search-files', { path: '~/../bob', pattern: 'x' }, 'confinement'],
    ['write-file', { path: '~/notes.md', content: 'x' }, 'confinement'],
    ['edit-file', { path: '../notes.md', find: 'a', replace: 'b' }, 'confinement'],
    ['shell', { cmd: 'cat /etc/hostname' }, 'confinement'],
    ['shell', { cmd: 'ls', folder: '/etc' }, 'confinement'],
    ['shell', { cmd: 'cat ~/.ssh/id_ed25519' }, 'confinement'],
    ['shell', { cmd: 'curl https://example.com' }, 'command-class'],
    ['write-file', { path: 'a.json', content: '{' }, 'code-validity'],
    ['write-file', { path: 'a.org', content: '#+begin_src js\n' }, 'code-validity'],
    ['read-file', { path: 'a', runner: 'moon' }, 'confinement'],
  ])('are stopped: %s %j', async (tool, args, gate) => {
    const { attempt, texts } = await turn([laptop], { tool, args });
    const found = attempt ?? undefined;
    expect(
      found === undefined ? texts.join('\n') : found.trace.map((entry) => `${entry.gate} ${entry.verdict}`).join('\n'),
    ).toContain(gate);
    expect(texts.some((text) => text.startsWith('This needs'))).toBe(false);
  });

  it.each<[string, JsonObject, readonly string[]]>([
    [
      'write-file',
      { path: 'a.md', content: '# A\n' },
      ['Writes the file: /home/ada/site/a.md', '4 bytes, SHA-256 ', '   1 | # A', 'On your machine: laptop'],
    ],
    [
      'shell',
      { cmd: 'touch a.txt' },
      ['Class: the command changes files', 'Command: touch a.txt', 'In the folder: /home/ada/site'],
    ],
    ['shell', { cmd: 'rm -rf build' }, ['You would lose: ', '/home/ada/site/build', 'Class: the command destroys']],
  ])('ask on a card that says all of it: %s %j', async (tool, args, lines) => {
    const { card = '' } = await turn([laptop], { tool, args });
    for (const line of lines) expect(card).toContain(line);
  });

  it('edit no file that was not read in this turn', async () => {
    const { card, prompts } = await turn([laptop], {
      tool: 'edit-file',
      args: { path: '~/site/a.md', find: 'old', replace: 'new' },
    });
    expect(card).toBeUndefined();
    expect(JSON.stringify(prompts[1])).toContain('nobody read this file yet');
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['shell', { cmd: 'ls -la' }, { cmd: 'ls -la', folder: '/home/ada/site', runner: 'laptop' }],
    ['read-file', { path: '~/a.md' }, { path: '/home/ada/a.md', runner: 'laptop' }],
  ])('read by themselves: %s %j', async (tool, args, whole) => {
    const { attempt, card } = await turn([laptop], { tool, args });
    expect(attempt).toMatchObject({ outcome: 'pass', action: { tool, args: whole } });
    expect(card).toBeUndefined();
  });
});

describe('a step of a runbook', () => {
  it('may read a file of the machine', async () => {
    const world = buildRunbookWorld(dynamo.table);
    await pair(world.space, laptop);
    const text = withSteps('{ id: look, tool: read-file, args: { path: ~/a.md } }').replace('recall,', 'read-file,');
    await world.start(text);
    const items = await dynamo.table.load([signalKeys.decision(world.space, `${RUN}/s1`)], { isConsistent: true });
    const found = items[0] && parseDecision(RUN, items[0]);
    expect(found?.actions[0]).toMatchObject({
      outcome: 'pass',
      action: { tool: 'read-file', args: { path: '/home/ada/a.md', runner: 'laptop' } },
    });
  });
});
