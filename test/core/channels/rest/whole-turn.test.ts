/**
 * A channel that the product does not know, added as `lib/core/channels/README.md` says: its row
 * in the list, the file that it names, and no other line. A message from there gets its turn, with
 * a tool call and a card, and the answer goes there and not back to the model.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { changeFile, copyTree } from '../../../support/copy-tree.ts';

const CHANNEL = `
import type { Channel } from '../../core/signal/channels.ts';

export const pigeonhole: Channel = {
  to: /^hole-\\d+$/,
  name: 'pigeonhole',
  words: 'the pigeonhole',
  wordsInGerman: 'das Fach',
  example: 'hole-7',
  speaker: 'member',
  sendsMessages: true,
  isGroup: () => false,
};
`;

const TURN = `
import { afterAll, expect, it } from 'vitest';
import { startDynamo } from '../../support/dynamo.ts';
import { chatOf, chatOfSession, chatSession, homeRoute } from '../../../lib/core/signal/channels.ts';
import { SETTINGS } from '../../../lib/core/store/settings.ts';
import { buildSimulation, signalWith } from '../../support/simulation.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

it('makes a whole turn', async () => {
  const prompts = [];
  const simulation = buildSimulation({
    table: dynamo.table,
    space: 'hole',
    answer: (prompt) => {
      prompts.push(prompt);
      return prompts.length === 1
        ? { toolCalls: [{ name: 'calculate', arguments: '{"expression":"6*7"}' }] }
        : { content: 'It is 42.' };
    },
  });
  const say = async (id, payload) => {
    const reply = { target: 'pigeonhole', to: 'hole-1' };
    const sender = { id: 'pigeonhole:1', isApprover: true };
    await simulation.accept({ ...signalWith('hole', id, payload), session: 'pigeonhole:1', reply, sender });
    await simulation.drain();
  };
  await say('letter-1', { sensor: 'chat-message', text: [{ text: 'what is 6*7?', origin: 'owner' }] });
  expect(simulation.sent.map(({ target, to, text }) => [target, to, text])).toStrictEqual([['pigeonhole', 'hole-1', 'It is 42.']]);
  expect(prompts.length).toBe(2);
  await say('letter-2', { sensor: 'command', name: 'status', rest: '' });
  expect(simulation.sent[1]).toMatchObject({ target: 'pigeonhole', to: 'hole-1' });
  expect(prompts.length).toBe(2);
});

it('is named in settings, pairings and sessions like any other', () => {
  const chat = chatOf({ target: 'pigeonhole', to: 'hole-1' });
  expect([chat, chatSession(chat, 5), chatOfSession('pigeonhole:hole-1:5')]).toStrictEqual([
    'pigeonhole:hole-1',
    'pigeonhole:hole-1:5',
    'pigeonhole:hole-1',
  ]);
  expect(homeRoute(chat)).toStrictEqual({ target: 'pigeonhole', to: 'hole-1' });
  expect(['7', chat, 'pigeonhole:7', 'console:main'].map((one) => SETTINGS.HOME_CHAT.schema.safeParse(one).success))
    .toStrictEqual([true, true, false, false]);
});
`;

let folder = '';
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a channel of one row', () => {
  it('makes a whole turn, and no answer goes back to the model', () => {
    folder = copyTree('channel');
    mkdirSync(join(folder, 'lib/features/pigeonhole'));
    writeFileSync(join(folder, 'lib/features/pigeonhole/channel.ts'), CHANNEL);
    changeFile(
      join(folder, 'lib/features/channels.ts'),
      (text) =>
        `import { pigeonhole } from './pigeonhole/channel.ts';\n${text.replace('CHANNELS = {', '$& pigeonhole,')}`,
    );
    writeFileSync(join(folder, 'test/core/channels/turn.test.ts'), TURN);
    const words = ['run', '--config', 'test/vitest.config.ts', 'test/core/channels/turn.test.ts'];
    const ran = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...words], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(ran.status === 0 ? '' : `${ran.stdout}${ran.stderr}`).toBe('');
  });
});
