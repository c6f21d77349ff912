/** A stack that ends and starts again on its folder, and the timer that wakes it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../../lib/core/base/limits.ts';
import { settingKey } from '../../../../lib/core/store/keys.ts';
import { makeJob, sampleJob } from '../../../features/jobs/sample-job.ts';
import { say, startModelServer, userTextOf } from '../../../support/model-server.ts';
import { startTestStack, type TestStack, until } from '../../../support/stack.ts';
import { type Talk, talkTo } from './talk.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'passepartout-restart-'));
const model = await startModelServer((request) => say(`re ${userTextOf(request)}`));
const start = (heartbeatIntervalSeconds?: number) =>
  startTestStack({
    dataDir,
    model,
    isPolling: false,
    environment: { PROVIDER_NAMES: 'custom/scripted' },
    ...(heartbeatIntervalSeconds === undefined ? {} : { heartbeatIntervalSeconds }),
  });

let world: TestStack;
let talk: Talk;
beforeAll(async () => {
  const before = await start();
  const first = talkTo(before);
  await first.answer('/remember my bike is blue');
  await first.answer('/identity name Butler');
  await first.ask('hello');
  const when = { kind: 'every', minutes: 60, from: Date.now() - 3 * HOUR_MS } as const;
  const to = [{ target: 'console', to: 'main' }] as const;
  await makeJob(before.table, 'default', sampleJob({ when, to: [...to] }), Date.now() - 2 * HOUR_MS);
  await before.stop();
  world = await start(1);
  talk = talkTo(world);
});
afterAll(async () => {
  await world?.stop();
  await model.close();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('Start, interrupt and shutdown', () => {
  it('keeps memory, settings and the conversation over an end and a start', async () => {
    expect(await talk.answer('/recall bike')).toContain('my bike is blue');
    await talk.ask('and now?');
    const prompt = talk.promptFor('and now?');
    for (const words of ['You are Butler', 'hello', 're hello']) expect(prompt).toContain(words);
    expect(await world.api('GET', '/health')).toMatchObject({ status: 200, body: { status: 'healthy', reasons: [] } });
  });
});

describe('Heartbeat', () => {
  it('comes by itself, starts what is due, and asks no model', async () => {
    const beat = async () =>
      (await world.table.load([settingKey('default', 'heartbeat')], { isConsistent: true }))[0]?.at as number;
    const first = await beat();
    const asked = model.requests.length;
    await until('the next one', async () => (await beat()) > first);
    const history = await until('the job has run', async () => {
      const lines = await talk.answer('/jobs history morning');
      return lines.includes('on time') && !lines.includes('not ended') && lines;
    });
    expect(history).toMatch(/ran on time .*\n.* missed: a newer run takes its place/);
    expect(model.requests).toHaveLength(asked);
  });
});
