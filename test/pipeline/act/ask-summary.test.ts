import { describe, expect, it } from 'vitest';
import { HISTORY_TURNS_KEPT, HISTORY_TURNS_MAX } from '../../../lib/limits.ts';
import { buildSummarySignal } from '../../../lib/pipeline/act/ask-summary.ts';
import type { SessionHead } from '../../../lib/pipeline/record.ts';
import { isSummaryId, summarySignalId } from '../../../lib/signal/ids.ts';
import { Signal } from '../../../lib/signal/signal.ts';

const NOW = 1_790_000_000_000;
const recent = Array.from({ length: HISTORY_TURNS_MAX }, (_, n) => `tg-1-${n}`);
const signal = { space: 'default', session: 'telegram:7', root: 'tg-1-99' };
const head: SessionHead = { schemaVersion: 1, startedAt: 1, turn: 'tg-1-99', recent };
const dropped = recent.slice(0, HISTORY_TURNS_MAX + 1 - HISTORY_TURNS_KEPT);

describe('buildSummarySignal', () => {
  it('asks for the turns that leave the history, of nobody, and for nobody', () => {
    const built = buildSummarySignal(signal, head, undefined, NOW);
    const id = summarySignalId('telegram:7', dropped.at(-1) ?? '');
    expect(built).toStrictEqual({
      schemaVersion: 1,
      id,
      type: 'EVENT',
      source: 'system',
      space: 'default',
      session: 'telegram:7',
      root: id,
      depth: 0,
      receivedAt: NOW,
      sender: { id: 'system', isApprover: false },
      reply: { target: 'system', to: '' },
      payload: { sensor: 'session-summary', turns: dropped },
    });
    expect(Signal.safeParse(built).success).toBe(true);
    expect(isSummaryId(id)).toBe(true);
  });

  it('names the summary before, and is the same signal when it is found due again', () => {
    const summary = { id: '1'.repeat(32), until: 'tg-0-1' };
    const built = buildSummarySignal(signal, { ...head, summary }, undefined, NOW);
    expect(built?.payload).toStrictEqual({ sensor: 'session-summary', turns: dropped, summary: summary.id });
    expect(buildSummarySignal(signal, head, undefined, NOW + 5)?.id).toBe(built?.id);
    expect(buildSummarySignal({ ...signal, session: 'telegram:8' }, head, undefined, NOW)?.id).not.toBe(built?.id);
  });

  it.each([
    ['one turn fewer', signal, { ...head, recent: recent.slice(1) }, undefined],
    ['a session without a head', signal, undefined, undefined],
    ['a turn that is not held any more', signal, { ...head, turn: 'tg-1-100' }, undefined],
    ['a webhook’s conversation', { ...signal, session: 'webhook:mail' }, head, undefined],
    ['a stopped conversation', signal, { ...head, stoppedBecause: 'blocks' as const }, undefined],
    ['a stopped space', signal, head, { isStopped: true, by: 'console', at: 1, schemaVersion: 1 as const }],
    ['a summary itself', { ...signal, root: 'sum-1' }, { ...head, turn: 'sum-1' }, undefined],
  ])('asks for none in %s', (_, ended, at, killSwitch) => {
    expect(buildSummarySignal(ended, at, killSwitch, NOW)).toBeUndefined();
  });
});
