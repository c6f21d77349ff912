import { describe, expect, it } from 'vitest';
import { HISTORY_TURNS_MAX, SUMMARY_TURNS_MAX } from '../../../../lib/core/base/limits.ts';
import type { SessionHead } from '../../../../lib/core/ledger/record.ts';
import { HISTORY_TURNS_KEPT } from '../../../../lib/core/ledger/session.ts';
import { isSummaryId, summarySignalId } from '../../../../lib/core/signal/ids.ts';
import { Signal } from '../../../../lib/core/signal/signal.ts';
import { buildSummarySignal, SUMMARY_BACKOFF_MS } from '../../../../lib/core/stages/act/ask-summary.ts';

const NOW = 1_790_000_000_000;
const recent = Array.from({ length: HISTORY_TURNS_MAX }, (_, n) => `tg-1-${n}`);
const signal = { space: 'default', session: 'telegram:7', root: 'tg-1-99' };
const head: SessionHead = { schemaVersion: 1, startedAt: 1, turn: 'tg-1-99', recent };
const dropped = recent.slice(0, HISTORY_TURNS_MAX + 1 - HISTORY_TURNS_KEPT);

describe('buildSummarySignal', () => {
  it('asks for the turns that leave the history, of nobody, and for nobody', () => {
    const built = buildSummarySignal(signal, head, undefined, NOW)?.signal;
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
    const built = buildSummarySignal(signal, { ...head, summary }, undefined, NOW)?.signal;
    expect(built?.payload).toStrictEqual({ sensor: 'session-summary', turns: dropped, summary: summary.id });
    expect(buildSummarySignal(signal, head, undefined, NOW + 5)?.signal.id).toBe(built?.id);
    const other = buildSummarySignal({ ...signal, session: 'telegram:8' }, head, undefined, NOW);
    expect(other?.signal.id).not.toBe(built?.id);
  });

  const turns = ['tg-0-1', 'tg-0-2'];
  const calm = { ...head, recent: recent.slice(-3) };

  it('asks again for what is owed when its time has come, under another id each time, a few times', () => {
    const ids = new Set([summarySignalId('telegram:7', 'tg-0-2')]);
    for (const [tries, waitMs] of [...SUMMARY_BACKOFF_MS.slice(1), 0].entries()) {
      const owed = { turns, tries: tries + 1, at: NOW };
      const due = buildSummarySignal(signal, { ...calm, owed }, undefined, NOW);
      expect(due?.signal.payload).toStrictEqual({ sensor: 'session-summary', turns });
      expect(due?.asked).toStrictEqual({ tries: tries + 2, at: NOW + waitMs });
      ids.add(due?.signal.id ?? '');
    }
    expect(ids.size).toBe(1 + SUMMARY_BACKOFF_MS.length);
    const owed = { turns, tries: 1 + SUMMARY_BACKOFF_MS.length, at: NOW };
    expect(buildSummarySignal(signal, { ...calm, owed }, undefined, NOW)).toBeUndefined();
    // Further turns that leave take along what nobody could summarise before.
    const due = buildSummarySignal(signal, { ...head, owed }, undefined, NOW);
    expect(due?.signal.payload).toStrictEqual({ sensor: 'session-summary', turns: [...turns, ...dropped] });
    expect(due?.asked.tries).toBe(1);
  });

  it('names no more turns than a summary is asked of', () => {
    const owed = { turns: Array.from({ length: SUMMARY_TURNS_MAX }, (_, n) => `tg-0-${n}`), tries: 9, at: NOW };
    const due = buildSummarySignal(signal, { ...head, owed }, undefined, NOW);
    expect(Signal.safeParse(due?.signal).success).toBe(true);
    expect(due?.signal.payload).toMatchObject({ turns: expect.arrayContaining(dropped) });
  });

  it.each([
    ['before its time', signal, { ...calm, owed: { turns, tries: 1, at: NOW + 1 } }, undefined],
    ['while one waits', signal, { ...calm, mailbox: ['sum-1'], owed: { turns, tries: 1, at: NOW } }, undefined],
    [
      'as the turn ends that failed',
      { ...signal, root: 'sum-1' },
      { ...calm, turn: 'sum-1', owed: { turns, tries: 1, at: NOW } },
      undefined,
    ],
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
