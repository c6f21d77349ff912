/**
 * A real export of a running stack, with cards, approvals, a grant, webhooks, refusals, an unknown
 * effect, a job with a run and something forgotten, changed in 10,000 ways, one at a time: each
 * change is detected and named, but for the few that say nothing (`verify-export.ts`).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPORT_IDLE_MS_MAX, verifyExport } from '../../lib/core/evidence/verifier/verify-export.ts';
import type { ShownApproval } from '../../lib/core/wings/approvals/operations.ts';
import { computeMoments } from '../../lib/features/jobs/verifier-knowledge.ts';
import { runCli } from '../cli/cli-world.ts';
import { mutateExport } from '../core/evidence/mutate-export.ts';
import { randomFrom } from '../support/generated-decisions.ts';
import { call, type ModelServerRequest, type ScriptedAnswer, say, userTextOf } from '../support/model-server.ts';
import { TAKES_ALL, TAKES_MORE } from '../support/sample.ts';
import { SEED } from '../support/seed.ts';
import { APPROVER_TOKEN, signalIdOf, startTestStack, type TestStack, until } from '../support/stack.ts';
import { startTarget } from '../support/target.ts';

const OWNER = 9101;
const MUTATIONS = TAKES_ALL ? 10_000 : TAKES_MORE ? 2_000 : 600;
const TEST_MS = 300_000;
const target = await startTarget();

const answer = (request: ModelServerRequest): ScriptedAnswer => {
  if (request.messages.some(({ role }) => role === 'tool')) return say('That is how it went.');
  const text = userTextOf(request);
  const ref = /deploy (\w+)/.exec(text)?.[1];
  if (ref !== undefined)
    return call('call-webhook', { webhook: 'deploys', body: { ref }, explanation: 'the owner asked for a deployment' });
  return say(text.includes('leak') ? 'It is AKIAIOSFODNN7EXQMPLA.' : `You said: ${text.slice(0, 40)}`);
};

let world: TestStack;
let lines: readonly string[];
let key: string;
let now: number;

const cli = (...words: readonly string[]) => runCli(words, world.dataDir, { env: { APPROVER_TOKEN } });
const ask = (text: string) => world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, text)));
const decide = async (decision: 'approve' | 'deny', signal: string, isGranted = false): Promise<void> => {
  const { body } = await world.api<{ approvals: readonly ShownApproval[] }>(
    'GET',
    '/api/approvals',
    undefined,
    APPROVER_TOKEN,
  );
  const id = body.approvals.find(({ signalId }) => signalId === signal)?.id;
  if (isGranted)
    await world.settled(
      (await world.api<{ id: string }>('POST', '/api/grants/add', { from: id }, APPROVER_TOKEN)).body.id,
    );
  const { status } = await world.api('POST', `/api/approvals/${id}`, { decision }, APPROVER_TOKEN);
  expect(status).toBe(202);
  await until('it is decided', async () => (await world.signal(signal)).isTurnClosed);
};

beforeAll(async () => {
  world = await startTestStack({
    allowedChats: [OWNER],
    approvers: [OWNER],
    environment: target.environmentOf('deploys'),
    script: answer,
  });
  await ask('hello');
  await ask('leak it');
  await decide('deny', (await ask('deploy other')).id);
  await decide('approve', (await ask('deploy main')).id, true);
  await ask('deploy main');
  await decide('approve', (await ask('/jobs add report every 90m: Say how it is')).id);
  await ask('/jobs run report');
  await ask('/remember the violet heron nests behind the mill');
  const { replies } = await ask('/recall violet heron');
  await ask(`/forget ${/[0-9a-f]{6,32}/.exec(replies.join())?.[0]}`);
  world.telegram.failNext('sendMessage', 'garbage');
  await ask('is it there');
  await ask('deploy third');
  const file = join(world.dataDir, 'evidence.jsonl');
  const exported = await cli('evidence', 'export', '--out', file);
  expect(exported).toMatchObject({ code: 0, err: '' });
  lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  key = (await cli('evidence', 'key')).out.trim();
  now = Date.now() + 86_400_000;
}, TEST_MS);
afterAll(async () => {
  await world?.stop();
  target.close();
});

const verify = (changed: readonly string[]) => verifyExport(changed, { key, now, momentsBetween: computeMoments });

/** Those of the lists in the verifier's contract. */
const isHarmless = (before: readonly string[], after: readonly string[], newestAt: number): boolean => {
  const [was, is] = [before, after].map((all) => all.filter((line) => !line.startsWith('{"type":"checkpoint"')));
  if (was?.join('\n') === is?.join('\n')) return true;
  const header = JSON.parse(after[0] as string);
  const isSameBut = JSON.stringify({ ...header, exportedAt: JSON.parse(before[0] as string).exportedAt }) === before[0];
  return isSameBut && header.exportedAt - newestAt <= EXPORT_IDLE_MS_MAX && header.exportedAt > newestAt - 300_000;
};

describe('a real export', () => {
  it('holds what it is to hold, and verifies', async () => {
    const found = await verify(lines);
    expect(found).toMatchObject({ status: 'verified', missing: [], pending: 0 });
    if ('wrong' in found) return;
    expect(found.withheld).toBeGreaterThan(1);
    expect(found.forgotten).toBeGreaterThan(0);
    for (const part of [
      '"state":"unknown"',
      '"state":"refused"',
      '"grant":',
      '"outcome":"refuse"',
      '"actuator":"webhook"',
      '"kind":"job"',
      '"kind":"occurrence"',
    ])
      expect(
        lines.some((line) => line.includes(part)),
        part,
      ).toBe(true);
  });

  it(
    `is never verified after one of ${MUTATIONS} changes, and the record that was changed is named`,
    async () => {
      const draw = randomFrom(SEED);
      const untouched = await verify(lines);
      const newestAt = 'wrong' in untouched ? 0 : untouched.newestAt;
      const [passed, misnamed]: [string[], string[]] = [[], []];
      let [done, harmless] = [0, 0];
      while (done < MUTATIONS) {
        const mutation = mutateExport(draw, lines);
        if (mutation === undefined) continue;
        done += 1;
        const found = await verify(mutation.lines);
        if ('wrong' in found) {
          const { kind, id } = found.wrong;
          const { record } = mutation;
          const isNamed = record === undefined ? kind !== '' : kind === record.kind && id === record.id;
          if (!isNamed) misnamed.push(`${mutation.what}: ${kind} ${id}`);
          continue;
        }
        if (found.status === 'withheld' && found.firstHidden !== mutation.record?.id)
          misnamed.push(`${mutation.what}: ${found.firstHidden}`);
        if (found.status !== 'verified' || found.mayBeOlder) continue;
        if (isHarmless(lines, mutation.lines, newestAt)) harmless += 1;
        else passed.push(mutation.what);
      }
      console.log(
        `${MUTATIONS} changes to ${lines.length} lines, seed ${SEED}: ${harmless} harmless, ${passed.length} unnoticed`,
      );
      expect({ passed, misnamed }).toStrictEqual({ passed: [], misnamed: [] });
    },
    TEST_MS,
  );
});
