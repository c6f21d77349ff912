/** The page names each fact, gate and byte in which two decisions differ, and nothing else. */
import { describe, expect, it } from 'vitest';
import type { AttemptView, DecisionView, SignalView } from '../../../lib/core/wings/signals/view.ts';
import { compareViews, type Difference } from '../../../lib/features/page/app/compare.ts';
import { reply, toolCall } from '../../core/edge/console/stored-fixtures.ts';

const attempt: AttemptView = {
  ...{ n: 1, at: 5, provider: 'demo', model: 'scripted', proposal: null },
  trace: [{ n: 0, gate: 'network', verdict: 'pass', reason: '' }],
};

const decision = (over: Partial<DecisionView> = {}): DecisionView => ({
  ...{ gateSet: 'g', policyVersion: 'p', at: 9, outcome: 'act', reason: '', attempts: [attempt], actions: [] },
  ...over,
});

const view = (over: Partial<SignalView> = {}): SignalView => ({
  ...{ id: 'con-1', state: 'acted', session: 'console:main', sender: 'console-approver', receivedAt: 0, replies: [] },
  ...{ turn: 'ended', isTurnClosed: true, source: 'console', sensor: 'chat-message', root: 'con-1', depth: 0 },
  ...{ text: [{ text: 'hello', origin: 'owner' }], decision: decision(), effects: [], children: [] },
  ...over,
});

const withTrace = (verdict: 'pass' | 'block', reason: string): SignalView =>
  view({ decision: decision({ attempts: [{ ...attempt, trace: [{ n: 0, gate: 'network', verdict, reason }] }] }) });

const withAction = (args: Record<string, string>, actionHash: string): SignalView =>
  view({
    decision: decision({
      actions: [{ n: 0, sentence: '', action: toolCall('call-webhook', args), actionHash, state: 'done', trace: [] }],
    }),
  });

const rows: readonly (readonly [string, SignalView, SignalView, readonly Difference[]])[] = [
  [
    'nothing of ids, times and conversations',
    view(),
    view({ id: 'con-2', receivedAt: 77, decision: decision({ at: 99, attempts: [{ ...attempt, at: 88 }] }) }),
    [],
  ],
  [
    'the origin of a text, which is trusted or not',
    view(),
    view({ text: [{ text: 'hello', origin: 'outside' }] }),
    [{ path: 'text.0', left: 'owner: hello', right: 'outside: hello' }],
  ],
  [
    'the verdict of a gate, with its reason',
    withTrace('pass', ''),
    withTrace('block', 'no webhook of that name'),
    [{ path: 'attempts.0.gates.network of action 0', left: 'pass ', right: 'block no webhook of that name' }],
  ],
  [
    'a byte of the exact action, and so its hash',
    withAction({ name: 'shop' }, 'aa'),
    withAction({ name: 'shop\u200b' }, 'bb'),
    [
      { path: 'actions.0.action.args.name', left: 'shop', right: 'shop\u200b' },
      { path: 'actions.0.hash', left: 'aa', right: 'bb' },
    ],
  ],
  [
    'the state of memory, and settings that only one has',
    view({ decision: decision({ memory: { commit: 3 } }) }),
    view({ decision: decision({ memory: { commit: 4 }, settingsVersion: 2 }) }),
    [
      { path: 'memory.commit', left: '3', right: '4' },
      { path: 'settings', left: '–', right: '2' },
    ],
  ],
  [
    'what became of an effect',
    view({ effects: [{ n: 0, actuator: 'console', state: 'done', actionHash: 'a', trace: [], tries: 1 }] }),
    view({ effects: [] }),
    [{ path: 'effects.0', left: 'done ', right: '–' }],
  ],
  [
    'all of a decision that the other has not',
    view({ decision: null }),
    view({ decision: decision({ attempts: [], reason: 'three proposals were refused', outcome: 'refuse' }) }),
    [
      { path: 'outcome', left: '–', right: 'refuse' },
      { path: 'reason', left: '–', right: 'three proposals were refused' },
      { path: 'gates', left: '–', right: 'g' },
      { path: 'policy', left: '–', right: 'p' },
    ],
  ],
];

describe('compareViews', () => {
  it.each(rows)('names %s', (_, left, right, differences) => {
    expect(compareViews(left, right)).toStrictEqual(differences);
  });

  it('says the same from the other side', () => {
    const [one, other] = [view(), view({ state: 'refused', decision: decision({ actions: [] }) })];
    const turned = compareViews(other, one).map(({ path, left, right }) => ({ path, left: right, right: left }));
    expect(compareViews(one, other)).toStrictEqual(turned);
    expect(turned).toStrictEqual([{ path: 'state', left: 'acted', right: 'refused' }]);
  });

  it('names the text of a reply', () => {
    const action = { n: 0, sentence: '', actionHash: 'a', state: 'done', trace: [] } as const;
    const one = view({ decision: decision({ actions: [{ ...action, action: reply('yes') }] }) });
    const other = view({ decision: decision({ actions: [{ ...action, action: reply('no') }] }) });
    expect(compareViews(one, other)).toStrictEqual([{ path: 'actions.0.action.text', left: 'yes', right: 'no' }]);
  });
});
