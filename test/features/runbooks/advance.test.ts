import type { Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLive, type Run } from '../../../lib/core/ledger/run.ts';
import { loadSandbox } from '../../../lib/core/sandbox/sandbox.ts';
import type { ActionResult } from '../../../lib/core/signal/signal.ts';
import { advance } from '../../../lib/features/runbooks/advance.ts';
import { planStep } from '../../../lib/features/runbooks/plan-step.ts';
import { RUN_STEPS_MAX, type Runbook, type RunbookStep } from '../../../lib/features/runbooks/runbook.ts';
import { buildWalk } from '../../../lib/features/runbooks/walk.ts';
import { fc } from '../../support/fast-check.ts';

const MINUTE = 60_000;
const START = 1_790_000_000_000;
const sandbox = await loadSandbox();

type Shape =
  | {
      readonly kind: 'call';
      readonly retry: number;
      readonly next: 'stop' | 'skip' | 'undo';
      readonly hasUndo: boolean;
    }
  | { readonly kind: 'wait' }
  | { readonly kind: 'left-out' }
  | { readonly kind: 'each'; readonly entries: number; readonly steps: readonly Shape[] };

const leaf: Arbitrary<Shape> = fc.oneof(
  fc.record({
    kind: fc.constant('call' as const),
    retry: fc.nat(2),
    next: fc.constantFrom('stop', 'skip', 'undo'),
    hasUndo: fc.boolean(),
  }),
  fc.constant({ kind: 'wait' as const }),
  fc.constant({ kind: 'left-out' as const }),
);
const shapes = (depth: number): Arbitrary<readonly Shape[]> =>
  fc.array(
    depth === 0
      ? leaf
      : fc.oneof(
          { weight: 3, arbitrary: leaf },
          {
            weight: 1,
            arbitrary: fc.record({ kind: fc.constant('each' as const), entries: fc.nat(4), steps: shapes(depth - 1) }),
          },
        ),
    { minLength: 1, maxLength: 4 },
  );

const build = (list: readonly Shape[], before = ''): readonly RunbookStep[] =>
  list.map((shape, index): RunbookStep => {
    const place = `${before}${index + 1}`;
    const common = { place, id: undefined, condition: shape.kind === 'left-out' ? 'false' : undefined };
    switch (shape.kind) {
      case 'wait':
        return { ...common, kind: 'wait', waitMs: 5 * MINUTE };
      case 'each': {
        const entries = JSON.stringify(Array.from({ length: shape.entries }, (_, n) => n));
        return { ...common, kind: 'each', list: entries, most: 10, steps: build(shape.steps, `${place}.`) };
      }
      case 'left-out':
        return {
          ...common,
          kind: 'text',
          text: 'x',
          timeLimitMs: MINUTE,
          ifFails: { retry: 0, waitMs: 0, next: 'stop' },
        };
      case 'call':
        return {
          ...common,
          kind: 'call',
          shapes: {},
          call: { tool: 'remember', args: { text: place } },
          undo: shape.hasUndo ? { tool: 'remember', args: { text: `undo ${place}` } } : undefined,
          timeLimitMs: MINUTE,
          ifFails: { retry: shape.retry, waitMs: MINUTE, next: shape.next },
        };
      default:
        return shape satisfies never;
    }
  });

const runbookOf = (steps: readonly RunbookStep[], timeLimitMs = 7 * 24 * 60 * MINUTE): Runbook => ({
  name: 'test',
  description: '',
  inputs: [],
  timeLimitMs,
  tools: [],
  steps,
});

const newRun = ({ timeLimitMs }: Runbook): Run => ({
  schemaVersion: 1,
  id: 'run-0123456789ab',
  runbook: 'test',
  hash: '',
  inputs: {},
  origin: 'owner',
  session: 'run:x',
  reply: { target: 'console', to: 'main' },
  by: 'telegram:7',
  askedBy: 'owner',
  state: 'running',
  n: 0,
  ended: [],
  hashes: {},
  hashesBefore: {},
  startedAt: START,
  changedAt: START,
  endsAt: START + timeLimitMs,
  looks: 0,
});

const result = (state: ActionResult['state']): ActionResult => ({ n: 0, state, output: state, origin: 'agent' });

/** Plays a run to its end. @param stateOf what the n-th signal's action comes to */
const play = (runbook: Runbook, stateOf: (n: number) => ActionResult['state']) => {
  let now = START;
  let run = newRun(runbook);
  let results: readonly ActionResult[] = [];
  const performed: string[] = [];
  for (let n = 1; isLive(run); n += 1) {
    expect(n).toBeLessThan(3 * RUN_STEPS_MAX);
    const walk = buildWalk({ runbook, scope: { inputs: {}, steps: {} }, sandbox });
    const deps = { runbook, walk, outputHashes: {}, now };
    const next = advance(run, results, deps);
    // The same again gives the same, and the walk remembers nothing that matters.
    expect(advance(run, results, deps)).toStrictEqual(next);
    run = next;
    const plan = planStep(run, runbook, walk);
    expect(planStep(run, runbook, walk)).toStrictEqual(plan);
    if (plan.kind === 'wait') now = Math.max(now, run.dueAt ?? now);
    const { current } = run;
    if (plan.kind === 'call') performed.push(`${current?.kind} ${current?.at.join('.')} try ${current?.tries}`);
    results = plan.kind === 'call' ? [result(stateOf(n))] : [];
    now += 1_000;
  }
  return { run, performed };
};

describe('advance', () => {
  it('ends every run within its bounds, performs no step twice, and gives the same twice', () => {
    fc.assert(
      fc.property(
        shapes(2),
        fc.infiniteStream(
          fc.constantFrom<ActionResult['state']>('done', 'done', 'done', 'failed', 'refused', 'unknown'),
        ),
        (list, states) => {
          const { run, performed } = play(runbookOf(build(list)), () => states.next().value);
          expect(new Set(performed).size).toBe(performed.length);
          expect(['done', 'failed', 'did-nothing']).toContain(run.state);
          expect(run.unfinishedAt).toBeUndefined();
          if (run.state === 'failed') expect(run.why).not.toBe('');
        },
      ),
      { numRuns: 150 },
    );
  });

  it('takes back exactly what was done or may have been, the newest first', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('done', 'unknown'), { maxLength: 8 }), (states) => {
        const steps: Shape[] = states.map(() => ({ kind: 'call', retry: 0, next: 'skip', hasUndo: true }));
        const runbook = runbookOf(build([...steps, { kind: 'call', retry: 0, next: 'undo', hasUndo: true }]));
        const { run, performed } = play(runbook, (n) => (n === states.length + 1 ? 'failed' : 'done'));
        const undone = performed.filter((one) => one.startsWith('undo'));
        expect(undone).toStrictEqual(states.map((_, index) => `undo ${index} try 0`).reverse());
        expect(run.state).toBe('failed');
      }),
      { numRuns: 30 },
    );
  });

  it('tries a step that fails as often as it says', () => {
    const { performed } = play(
      runbookOf(build([{ kind: 'call', retry: 2, next: 'stop', hasUndo: false }])),
      () => 'failed',
    );
    expect(performed.map((one) => one.slice(-1))).toStrictEqual(['0', '1', '2']);
  });

  it('says why a step could not be taken back', () => {
    const steps: Shape[] = [
      { kind: 'call', retry: 0, next: 'stop', hasUndo: true },
      { kind: 'call', retry: 0, next: 'undo', hasUndo: false },
    ];
    const { run } = play(runbookOf(build(steps)), (n) => (n === 1 ? 'done' : 'failed'));
    expect(run.why).toBe('step 2 was not done: failed; step 1 could not be taken back: failed');
    expect(run.ended[0]?.state).toBe('not-undone');
  });

  it.each([
    [
      'fans out',
      [{ kind: 'each', entries: 4, steps: [{ kind: 'each', entries: 100, steps: [{ kind: 'wait' }] }] }],
      /200 steps/,
    ],
    [
      'looks at too much',
      [{ kind: 'each', entries: 100, steps: [{ kind: 'each', entries: 100, steps: [{ kind: 'left-out' }] }] }],
      /500 expressions/,
    ],
  ] as const)('fails a run that %s, with a sentence', (_name, list, sentence) => {
    const steps = build(list).map((step) =>
      step.kind === 'each'
        ? { ...step, most: 100, steps: step.steps.map((one) => (one.kind === 'each' ? { ...one, most: 100 } : one)) }
        : step,
    );
    const { run } = play(runbookOf(steps), () => 'done');
    expect([run.state, run.why]).toStrictEqual(['failed', expect.stringMatching(sentence)]);
  });

  it('fails a run at its time limit, also while it waits', () => {
    const { run } = play(
      runbookOf(build([{ kind: 'wait' }, { kind: 'wait' }, { kind: 'wait' }]), 8 * MINUTE),
      () => 'done',
    );
    expect([run.state, run.why]).toStrictEqual(['failed', 'the time limit of the run is over']);
  });
});
