/**
 * How often a person is asked, and how fast the yes comes: the figures, and the words of a week,
 * through the real stages.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUICK_YESES_MIN } from '../../lib/core/approvals/count-answers.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { type ApprovalWorld, buildApprovalWorld } from './approval-world.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

let refs = 0;
/** Asks, and answers so many milliseconds later. */
const answer = async (
  world: ApprovalWorld,
  decision: 'approve' | 'deny' | 'nothing',
  afterMs: number,
): Promise<void> => {
  refs += 1;
  const id = await world.approvalOf(await world.say(`deploy r${refs}`));
  world.simulation.advance(afterMs);
  if (decision !== 'nothing') await world.send(world.tapOf(id, decision));
};

const times = async (count: number, does: () => Promise<void>): Promise<void> => {
  for (let n = 0; n < count; n += 1) await does();
};

const tick = async ({ simulation }: ApprovalWorld): Promise<void> => {
  simulation.advance(HOUR);
  await simulation.tickAnswers();
  await simulation.drain();
};

const told = (world: ApprovalWorld): readonly string[] =>
  world.texts().flatMap((text = '') => (/three seconds|drei Sekunden/.test(text) ? [text] : []));

describe('figures of answers', () => {
  it.each<[string, 'approve' | 'deny' | 'nothing', number, string]>([
    ['a yes at three seconds', 'approve', 3_000, '1 asked, 1 yes, 1 within three seconds'],
    ['a yes after them', 'approve', 3_001, '1 asked, 1 yes, 0 within three seconds'],
    ['a fast no', 'deny', 500, '1 asked, 0 yes, 0 within three seconds'],
    ['no answer', 'nothing', 500, '1 asked, 0 yes, 0 within three seconds'],
  ])('count %s', async (_, decision, afterMs, counts) => {
    const world = buildApprovalWorld(dynamo.table);
    await answer(world, decision, afterMs);
    await world.send(world.command('questions', ''));
    expect(world.texts().at(-1)?.split('\n').slice(0, 3)).toStrictEqual([
      '1 question in 7 days: 0.1 a day, 1 a task, 100 a hundred calls.',
      expect.stringMatching(/^A yes to [01] of them, to [01] within three seconds\.$/),
      `call-webhook, ${decision === 'nothing' ? 'nobody answered' : 'telegram:7'}: ${counts}`,
    ]);
  });

  it('say so if nothing was asked, and leave out what is older than a week', async () => {
    const world = buildApprovalWorld(dynamo.table);
    await answer(world, 'approve', 500);
    world.simulation.advance(WEEK);
    await world.send(world.command('questions', ''));
    expect(world.texts().at(-1)).toBe('Nothing was asked in the last 7 days.');
  });
});

describe('the words of a week', () => {
  it('come once a week, and only from a bound on', async () => {
    const world = buildApprovalWorld(dynamo.table);
    await times(QUICK_YESES_MIN - 1, () => answer(world, 'approve', 1_000));
    await answer(world, 'approve', 60_000);
    await tick(world);
    expect(told(world)).toStrictEqual([]);
    await answer(world, 'approve', 1_000);
    await tick(world);
    await tick(world);
    expect(told(world)).toStrictEqual([
      'You said yes within three seconds to 10 of 11 questions of the last 7 days. 10 were about call-webhook. ' +
        'You could let call-webhook pass: “Allow similar…” on its next card. All of them: /questions',
    ]);
    world.simulation.advance(WEEK);
    await tick(world);
    expect(told(world)).toHaveLength(1);
    await times(QUICK_YESES_MIN, () => answer(world, 'approve', 1_000));
    await tick(world);
    expect(told(world)).toHaveLength(2);
  });

  it.each<[string, string, RegExp]>([
    [
      'German',
      'de',
      /^Auf 10 von 10 Fragen der letzten 7 Tage kam das Ja innerhalb von drei Sekunden\. .* Alle: \/questions$/,
    ],
    ['English', 'en', /^You said yes within three seconds to 10 of 10 questions .*\/questions$/],
  ])('are in the language of the home chat: %s', async (_, language, words) => {
    const world = buildApprovalWorld(dynamo.table);
    await world.send(world.command('language', language));
    await times(QUICK_YESES_MIN, () => answer(world, 'approve', 1_000));
    await tick(world);
    expect(told(world)).toStrictEqual([expect.stringMatching(words)]);
  });

  it('are sent to nobody without a home chat', async () => {
    const world = buildApprovalWorld(dynamo.table, { variables: { HOME_CHAT: '' } });
    await times(QUICK_YESES_MIN, () => answer(world, 'approve', 1_000));
    await tick(world);
    expect(told(world)).toStrictEqual([]);
  });
});
