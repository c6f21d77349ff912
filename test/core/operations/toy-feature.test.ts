/** A feature that the product does not know: one row in the list opens every door to it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Feature } from '../../../lib/core/operations/feature.ts';
import { type Change, change, type Look, look } from '../../../lib/core/operations/operation.ts';
import { openCli, type TestCli } from '../../support/cli.ts';
import { buildSimulation, signalWith } from '../../support/simulation.ts';
import { APPROVER_TOKEN } from '../../support/stack.ts';
import { serveConsole, startConsole, type TestConsole } from '../edge/console/console-server.ts';

const lampShow = {
  kind: 'look',
  name: 'lamp show',
  summary: 'how bright the lamp is',
  args: z.strictObject({
    room: z.string().check(z.describe('room it stands in')),
    watts: z._default(z.coerce.number(), 40),
  }),
  words: ['room', 'watts'],
  data: z.looseObject({ watts: z.number() }),
  needs: 'owner',
} as const satisfies Look;

const lampSet = {
  kind: 'change',
  name: 'lamp set',
  summary: 'note the colour of the lamp',
  args: z.strictObject({ colour: z.string().check(z.describe('its new colour')) }),
  words: ['colour…'],
  needs: 'approver',
} as const satisfies Change;

const LAMP: Feature = {
  name: 'lamp',
  nouns: { lamp: 'a lamp in a room' },
  operations: [lampShow, lampSet],
  loadHandlers: async () => [
    look(lampShow, async (_, { room, watts }) => ({
      data: { watts },
      lines: [`The lamp in the ${room} has ${watts} W.`],
    })),
    change(lampSet, (_, { colour }) => ({ call: { tool: 'remember', args: { text: `the lamp is ${colour}` } } })),
  ],
};

let console: TestConsole;
let cli: TestCli;
let close: () => void;
const ask = (method: string, path: string, body?: object) => console.ask(method, path, { token: APPROVER_TOKEN, body });
beforeAll(async () => {
  const tokens = async () => ({ approverToken: APPROVER_TOKEN, scripts: [] });
  console = await startConsole({ features: [LAMP], tokens });
  const served = await serveConsole(console.deps);
  close = () => served.server.close();
  cli = openCli(served.url, [LAMP]);
});
afterAll(async () => {
  cli?.remove();
  close?.();
  await console?.stop();
});

describe('a toy feature', () => {
  it('answers in a chat, with the right and the form of its row', async () => {
    const space = 'toy';
    const simulation = buildSimulation({
      table: console.dynamo.table,
      space,
      features: [LAMP],
      answer: () => {
        throw new Error('no model is asked');
      },
    });
    let n = 0;
    const say = async (rest: string, isApprover = true) => {
      n += 1;
      const sender = { id: 'telegram:7', isApprover };
      await simulation.accept({ ...signalWith(space, `tg-1-${n}`, { sensor: 'command', name: 'lamp', rest }), sender });
      await simulation.drain();
      return simulation.sent.at(-1)?.text;
    };
    expect(await say('show kitchen 60')).toBe('The lamp in the kitchen has 60 W.');
    expect(await say('show')).toBe('That command needs another form: /lamp show <room> [watts]');
    expect(await say('dance')).toBe('That command needs another form: /lamp show <room> [watts]\n/lamp set <colour…>');
    expect(await say('show kitchen', false)).toBe('Only an approver can give the command /lamp.');
    expect(await say('set deep red')).toMatch(/^Remembered as/);
  });

  it('answers over HTTP, and is described there', async () => {
    expect(await ask('GET', '/api/lamp/show?room=hall')).toMatchObject({
      status: 200,
      body: { watts: 40, lines: ['The lamp in the hall has 40 W.'] },
    });
    expect((await ask('GET', '/api/lamp/show')).status).toBe(400);
    const { status, body } = await ask('POST', '/api/lamp/set', { colour: 'red' });
    expect([status, body]).toStrictEqual([202, { id: expect.any(String) }]);
    expect(console.published.at(-1)?.message).toMatchObject({ signalId: Object(body).id });
    expect((await ask('GET', '/api/openapi.json')).body).toMatchObject({
      openapi: '3.1.0',
      paths: { '/api/lamp/show': { get: { summary: 'how bright the lamp is' } }, '/api/lamp/set': { post: {} } },
    });
  });

  it('is a command of the command line, with help, options and data', async () => {
    expect(await cli.run('lamp', 'show', 'hall', '60')).toMatchObject({
      code: 0,
      out: 'The lamp in the hall has 60 W.\n',
    });
    const { out } = await cli.run('lamp', 'show', 'hall', '--json');
    expect(JSON.parse(out)).toStrictEqual({ watts: 40, lines: ['The lamp in the hall has 40 W.'] });
    const help = await cli.run('help', 'lamp');
    expect(help.out).toContain('lamp set <colour…>');
    expect(help.out).toContain('note the colour of the lamp');
    expect(await cli.run('lamp', 'dance')).toMatchObject({ code: 2 });
    expect(await cli.run('lamp', 'show')).toMatchObject({ code: 2 });
  });
});
