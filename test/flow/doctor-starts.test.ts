/**
 * A healthy stack that is used, stopped over a night and started again gives doctor no finding, at
 * its start and after a message. A few starts; a hundred with `npm run soak`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../lib/core/base/limits.ts';
import { jobKeys, settingKey } from '../../lib/core/store/keys.ts';
import { runCli } from '../cli/cli-world.ts';
import { startBotApiServer } from '../support/bot-api-server.ts';
import { say, startModelServer } from '../support/model-server.ts';
import { TAKES_ALL } from '../support/sample.ts';
import { APPROVER_TOKEN, BOT_TOKEN, LOG_SIGNING_KEY, startTestStack, type TestStack } from '../support/stack.ts';

const STARTS = TAKES_ALL ? 100 : 3;
const SPACE = 'default';
const env = { APPROVER_TOKEN, LOG_SIGNING_KEY };

const dataDir = mkdtempSync(join(tmpdir(), 'passepartout-starts-'));
const telegram = await startBotApiServer({ token: BOT_TOKEN });
const model = await startModelServer(() => say('ok'));
afterAll(async () => {
  await telegram.close();
  await model.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const cli = async (...words: readonly string[]) => {
  const { code, out, err } = await runCli(words, dataDir, { env });
  expect({ words, code, err, out }).toStrictEqual({ words, code: 0, err: expect.any(String), out });
  return out;
};

const expectNothing = async (world: TestStack) => {
  const { body } = await world.api<{ status: string; reasons: readonly string[] }>('GET', '/health');
  expect(body).toMatchObject({ status: 'healthy', reasons: [] });
  expect(await cli('doctor')).not.toMatch(/^wrong/m);
};

/** As if the machine had slept for the night, past a moment of the job. */
const sleepOverNight = async ({ table }: TestStack) => {
  const at = Date.now() - 8 * HOUR_MS;
  await table.put(settingKey(SPACE, 'heartbeat'), { schemaVersion: 1, at });
  await table.update(jobKeys.record(SPACE, 'tea'), { set: { unfinishedAt: at } });
};

it(
  `gives no false alarm in ${STARTS} starts`,
  async () => {
    for (let start = 0; start < STARTS; start += 1) {
      const world = await startTestStack({ dataDir, telegram, model, environment: { PROVIDER_NAMES: 'custom' } });
      try {
        await expectNothing(world);
        if (start === 0) await cli('jobs', 'add', 'tea', '--every', '1h', '--catch-up', 'once 12h', 'Drink tea');
        const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text: 'hello' });
        expect(await world.settled(body.id)).toMatchObject({ replies: ['ok'] });
        await world.tick();
        await expectNothing(world);
        await sleepOverNight(world);
      } finally {
        await world.stop();
      }
    }
  },
  STARTS * MINUTE_MS,
);
