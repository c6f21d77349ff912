/** Where the page says that the time of a turn went: from its stored times alone. */
import { describe, expect, it } from 'vitest';
import type { ActionView, AttemptView, DecisionView, SignalView } from '../../../lib/core/wings/signals/view.ts';
import { buildWaterfall, type Span } from '../../../lib/features/page/app/waterfall.ts';
import { reply, toolCall } from '../../core/edge/console/stored-fixtures.ts';

const attempt = (n: number, at: number): AttemptView => ({
  ...{ n, at, provider: 'demo', model: 'scripted', proposal: null, trace: [] },
});

const action = (n: number, verdict: 'pass' | 'ask'): ActionView => ({
  ...{ n, sentence: '', action: verdict === 'ask' ? toolCall('call-webhook') : reply('yes'), actionHash: 'a' },
  state: 'done',
  trace: [{ gate: 'permissions', verdict, reason: '' }],
});

const decision = (over: Partial<DecisionView>): DecisionView => ({
  ...{ gateSet: 'g', policyVersion: 'p', at: 1000, outcome: 'act', reason: '', attempts: [], actions: [] },
  ...over,
});

const effect = (n: number, over: Partial<SignalView['effects'][number]>): SignalView['effects'][number] => ({
  ...{ n, actuator: 'console', state: 'done', actionHash: 'a', trace: [], tries: 1 },
  ...over,
});

const view = (over: Partial<SignalView> = {}): SignalView => ({
  ...{ id: 'con-1', state: 'acted', session: 'console:main', sender: 'console-approver', receivedAt: 0, replies: [] },
  ...{ turn: 'ended', isTurnClosed: true, source: 'console', sensor: 'chat-message', root: 'con-1', depth: 0 },
  ...{ text: [], decision: null, effects: [], children: [] },
  ...over,
});

const rows: readonly (readonly [string, readonly SignalView[], readonly Span[]])[] = [
  ['nothing', [], []],
  [
    'a signal that nothing has taken up yet',
    [view({ receivedAt: 7 })],
    [{ label: 'queues and code', kind: 'queue', from: 7, to: 7 }],
  ],
  [
    'what code alone decided',
    [view({ decision: decision({ at: 30 }) })],
    [{ label: 'queues and code', kind: 'queue', from: 0, to: 30 }],
  ],
  [
    'attempts while there is no decision: the last one goes on',
    [view({ attempts: [attempt(1, 100), attempt(2, 400)] })],
    [
      { label: 'queues and Perceive', kind: 'queue', from: 0, to: 100 },
      { label: 'attempt 1 (demo scripted) and its gates', kind: 'work', from: 100, to: 400 },
      { label: 'attempt 2 (demo scripted) and its gates', kind: 'work', from: 400, to: 400 },
    ],
  ],
  [
    'two attempts, and an effect that nobody was asked about',
    [
      view({
        decision: decision({ attempts: [attempt(1, 100), attempt(2, 400)], actions: [action(0, 'pass')] }),
        effects: [effect(0, { claimedAt: 1200, settledAt: 1500 })],
      }),
    ],
    [
      { label: 'queues and Perceive', kind: 'queue', from: 0, to: 100 },
      { label: 'attempt 1 (demo scripted) and its gates', kind: 'work', from: 100, to: 400 },
      { label: 'attempt 2 (demo scripted) and its gates', kind: 'work', from: 400, to: 1000 },
      { label: 'effect 0 (console): queue', kind: 'queue', from: 1000, to: 1200 },
      { label: 'effect 0 (console)', kind: 'work', from: 1200, to: 1500 },
    ],
  ],
  [
    "a person's time apart from the agent's",
    [
      view({
        decision: decision({ attempts: [attempt(1, 100)], actions: [action(0, 'pass'), action(1, 'ask')] }),
        effects: [
          effect(0, { claimedAt: 1100, settledAt: 1150 }),
          effect(1, { actuator: 'webhook', claimedAt: 61_000, settledAt: 61_300 }),
        ],
      }),
    ],
    [
      { label: 'queues and Perceive', kind: 'queue', from: 0, to: 100 },
      { label: 'attempt 1 (demo scripted) and its gates', kind: 'work', from: 100, to: 1000 },
      { label: 'effect 0 (console): queue', kind: 'queue', from: 1000, to: 1100 },
      { label: 'effect 0 (console)', kind: 'work', from: 1100, to: 1150 },
      { label: "effect 1 (webhook): a person's yes", kind: 'person', from: 1000, to: 61_000 },
      { label: 'effect 1 (webhook)', kind: 'work', from: 61_000, to: 61_300 },
    ],
  ],
  [
    'an effect that is under way, and none of one that was never claimed',
    [
      view({
        decision: decision({ actions: [action(0, 'pass'), action(1, 'ask')] }),
        effects: [effect(0, { state: 'claimed', claimedAt: 1100 }), effect(1, { state: 'suspended' })],
      }),
    ],
    [
      { label: 'queues and code', kind: 'queue', from: 0, to: 1000 },
      { label: 'effect 0 (console): queue', kind: 'queue', from: 1000, to: 1100 },
    ],
  ],
  [
    'what a signal caused, below it and in words',
    [view(), view({ id: 'con-1/0', sensor: 'tool-output', receivedAt: 50, decision: decision({ at: 80 }) })],
    [
      { label: 'queues and code', kind: 'queue', from: 0, to: 0 },
      { label: 'the result of an action: queues and code', kind: 'queue', from: 50, to: 80 },
    ],
  ],
];

describe('buildWaterfall', () => {
  it.each(rows)('shows %s', (_, views, spans) => {
    expect(buildWaterfall(views, 'en')).toStrictEqual(spans);
  });

  it('says the same in German', () => {
    const labels = rows.flatMap(([, views]) => buildWaterfall(views, 'de').map(({ label }) => label));
    expect(labels).toContain('Versuch 2 (demo scripted) und seine Regeln');
    expect(labels).toContain('Wirkung 1 (webhook): das Ja eines Menschen');
    expect(labels).toContain('das Ergebnis einer Handlung: Wartezeit und Code');
  });
});
