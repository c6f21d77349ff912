/**
 * A plan as its owner has it: the model writes it down, the owner edits its notes on the command
 * line, approves what stands there, and finds it done after a restart. Then the notes are put in
 * order. Nothing is known beforehand but what was printed.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, say, toolResultsOf, userTextOf } from '../../support/model-server.ts';
import { until } from '../../support/stack.ts';
import { type Home, openHome, type Program } from '../support/home.ts';

const BECAUSE = { explanation: 'the owner asked for exactly this' };
const paid: unknown[] = [];
const bank = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    paid.push(JSON.parse(body));
    response.end('{"ok":true}');
  });
});

const step = (to: string, sum: number) => ({
  words: `Pay ${to}`,
  tool: 'call-webhook',
  args: { webhook: 'pay', body: { to, sum } },
});

/** Beginning of the id of the plan's note. */
let plan = '';
let home: Home;
let stack: Program;
beforeAll(async () => {
  await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve));
  const { port } = bank.address() as AddressInfo;
  home = await openHome((request) => {
    const [said, results] = [userTextOf(request), toolResultsOf(request)];
    if (said.includes('plan the rent') && results.length === 0)
      return call('write-plan', { title: 'Rent', steps: [step('Ann', 30), step('Ben', 5)], ...BECAUSE });
    const [, note = ''] = /arrange-notes once, for the note ([0-9a-f]{32})/.exec(said) ?? [];
    if (note !== '' && results.length === 0) return call('read-notes', { id: note, ...BECAUSE });
    if (note !== '' && results.length === 1) {
      const ids = [...(results[0] ?? '').matchAll(/"id":"([0-9a-f]{32})"/g)].flatMap(([, id]) =>
        id === note ? [] : id,
      );
      const outline = [{ title: 'Fruit', level: 1 }, ...ids.toReversed().map((id) => ({ id, level: 2 }))];
      return call('arrange-notes', { note, outline, ...BECAUSE });
    }
    return say('So it is.');
  });
  home.set({
    ...home.modelSettings,
    WEBHOOK_TARGETS: JSON.stringify({ pay: { url: `http://127.0.0.1:${port}/` } }),
    ALLOW_LOOPBACK_WEBHOOKS: '1',
  });
  stack = await home.start();
});
afterAll(async () => {
  await home?.close();
  bank.close();
});

const type = (line: string): Promise<string> => home.paste(`npx passepartout send '${line}'`);
const approve = async (): Promise<string> => {
  const [{ id }] = JSON.parse(await home.paste('npx passepartout approvals --json')).approvals;
  return home.paste(`npx passepartout approve ${id}`);
};
const idOf = (text: string, name: string): string => new RegExp(`“${name}” \\(([0-9a-f]{8})\\)`).exec(text)?.[1] ?? '';

it('writes a plan down, of which the owner strikes out and changes a step', async () => {
  await type('plan the rent');
  plan = idOf(await home.paste('npx passepartout plan list'), 'Rent');
  const shown = await home.paste(`npx passepartout plan show ${plan}`);
  await type(`/edit ${idOf(shown, 'Pay Ann')} state CANCELLED`);
  await type(`/edit ${idOf(shown, 'Pay Ben')} text call-webhook {"webhook":"pay","body":{"to":"Ben","sum":6}}`);
  await home.run(`npx passepartout plan approve ${plan}`);
  const waits = await home.paste('npx passepartout approvals --all');
  expect(waits).toContain('call-webhook {"body":{"sum":6,"to":"Ben"},"webhook":"pay"}');
  expect(paid).toStrictEqual([]);
  await approve();
  await until('the plan ends', async () =>
    /Pay Ben” \([0-9a-f]{8}\): done/.test(await home.paste(`npx passepartout plan show ${plan}`)),
  );
  expect(paid).toStrictEqual([{ to: 'Ben', sum: 6 }]);
});

it('has the states of its steps after a restart, and verifies', async () => {
  await stack.end();
  stack = await home.start();
  expect(await home.paste(`npx passepartout plan show ${plan}`)).toMatch(
    /“Pay Ann” .*: struck out or done\n.*“Pay Ben” .*: done/,
  );
  await home.paste('npx passepartout evidence export --out e.jsonl');
  expect(await home.paste('npx passepartout verify e.jsonl --anchor .passepartout/anchors/default.txt')).toMatch(
    /^verified$/m,
  );
});

it('puts notes in order after a yes to the difference', async () => {
  const idIn = async (line: string) => /[0-9a-f]{32}/.exec(await type(line))?.[0] ?? '';
  const root = await idIn('/remember things');
  for (const one of ['apples', 'pears']) await type(`/edit ${await idIn(`/remember ${one}`)} parent ${root}`);
  await home.paste(`npx passepartout organise ${root.slice(0, 8)}`);
  await until('the card comes', async () =>
    (await home.paste('npx passepartout approvals --all')).includes('1. new heading: Fruit'),
  );
  await approve();
  await until('the notes are in order', async () => /Fruit\n.*pears\n.*apples/.test(await type('/memory')));
});
