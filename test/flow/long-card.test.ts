/** What can be proposed in a chat can be decided there, however long its card is. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cardFileIn } from '../../lib/core/approvals/card-marks.ts';
import { call, say, toolResultsOf } from '../support/model-server.ts';
import { signalIdOf, startTestStack, type TestStack, until } from '../support/stack.ts';

const OWNER = 7301;

let world: TestStack;
beforeAll(async () => {
  world = await startTestStack({
    allowedChats: [OWNER],
    environment: {
      WEBHOOK_TARGETS: JSON.stringify({ deployer: { url: 'https://deploy.example/hook' } }),
    },
    script: (request) =>
      toolResultsOf(request).length > 0
        ? say('It is made.')
        : call('schedule-job', {
            name: 'deploys',
            event: 'ci/release',
            runbook: 'deploy-gate',
            approveWhole: '20 30d',
            explanation: 'the owner asked for exactly this job',
          }),
  });
});
afterAll(async () => world?.stop());

it('decides one yes to all calls of the deploy gate in the chat, by a file with all of it', async () => {
  const id = signalIdOf(world.telegram.sendText(OWNER, OWNER, 'ask me before each deploy'));
  const card = await until('its card is there', () =>
    world.telegram.sent(OWNER).find(({ reply_markup: keys }) => keys !== undefined),
  );
  const text = card.text ?? '';
  const [first = '', why = '', fold = ''] = text.split('\n');
  expect(first).toMatch(/^At each event “release” of the webhook ci: run the runbook deploy-gate/);
  expect(why).toMatch(/^Your yes covers 20 runs, until .* UTC\. Without asking again, they may call:$/);
  expect(fold).toMatch(/^Details \(waits for your yes until /);
  const files = world.telegram.calls.filter(({ method }) => method === 'sendDocument');
  expect(files).toHaveLength(1);
  const { file_name: name, text: file = '' } = (files[0]?.params.document ?? {}) as {
    file_name?: string;
    text?: string;
  };
  expect(cardFileIn(text)).toStrictEqual({ name, sha256: createHash('sha256').update(file).digest('hex') });
  expect(file).toContain('Your yes covers 20 runs');
  const buttons = (card.reply_markup?.inline_keyboard ?? []).flat();
  expect(buttons.map((button) => button.text)).toStrictEqual(['Approve', 'Deny', 'Allow similar…']);
  const list = await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, '/approvals')));
  expect(list.replies.join()).toMatch(
    /\n\w{6}: job deploys: at each event “release” of the webhook ci …, asked .* – \/approve \w{6}, \/deny \w{6}\n/,
  );
  const [yes] = buttons;
  world.telegram.tap(card.message_id, yes !== undefined && 'callback_data' in yes ? yes.callback_data : '', OWNER);
  await until('the job is made', async () => (await world.signal(id)).isTurnClosed);
  expect(await world.signal(id)).toMatchObject({ state: 'acted', effects: [{ state: 'done' }] });
  await until('its card says so', () =>
    world.telegram.sent(OWNER).some(({ text: now = '' }) => now.startsWith(`${first}\n${why}\nAPPROVED`)),
  );
});
