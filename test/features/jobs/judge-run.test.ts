import { describe, expect, it } from 'vitest';
import type { EndedStep } from '../../../lib/core/ledger/run.ts';
import { type DoneAction, type EndedTurn, judgeRun, judgeRunbook } from '../../../lib/features/jobs/judge-run.ts';
import { sampleJob } from './sample-job.ts';

const when = { kind: 'every', minutes: 10, from: 0 } as const;
const prompt = (promises: 'reply' | 'change' | 'nothing') =>
  sampleJob({ when, work: { kind: 'prompt', text: 'Look' }, promises });

const text = (state: DoneAction['state'], reason?: string): DoneAction => ({
  action: { target: 'telegram', to: '7', text: 'Hi', explanation: '', author: 'model' },
  state,
  reason,
});
const call = (tool: string, state: DoneAction['state'], reason?: string): DoneAction => ({
  action: { target: 'tool', tool, args: {}, explanation: '', author: 'model' },
  state,
  reason,
});
const turn = (
  actions: readonly DoneAction[],
  states: EndedTurn['states'] = ['acted'],
  stateReason?: string,
): EndedTurn => ({
  states,
  actions,
  stateReason,
});

describe('judgeRun', () => {
  it('judges a run by its effects', () => {
    // biome-ignore format: one case per line
    const cases = [
      [prompt('reply'), turn([text('done')]), undefined],
      [prompt('reply'), turn([call('recall', 'failed', 'no'), text('done')]), undefined],
      [prompt('reply'), turn([call('recall', 'done')]), 'did-nothing'],
      [prompt('reply'), turn([text('refused', 'blocked')]), 'failed'],
      [prompt('reply'), turn([text('unknown')]), 'unknown'],
      [prompt('reply'), turn([], ['refused'], 'the day is spent'), 'failed'],
      [prompt('reply'), turn([text('done')], ['acted', 'dead-lettered'], 'gave up'), 'failed'],
      [prompt('change'), turn([text('done')]), 'did-nothing'],
      [prompt('change'), turn([call('recall', 'done'), text('done')]), 'did-nothing'],
      [prompt('change'), turn([call('remember', 'done')]), undefined],
      [prompt('change'), turn([call('remember', 'refused', 'no')]), 'failed'],
      [prompt('nothing'), turn([]), undefined],
      [prompt('nothing'), turn([], ['refused'], 'blocked'), 'failed'],
      [prompt('nothing'), turn([text('failed', 'it is away')]), 'failed'],
    ] as const;
    for (const [definition, ended, state] of cases)
      expect(judgeRun(definition, ended).state, JSON.stringify([definition.promises, ended])).toBe(state);
  });

  it('says why', () => {
    expect([
      judgeRun(prompt('change'), turn([])).why,
      judgeRun(prompt('change'), turn([call('forget', 'refused', 'a person denied it')])).why,
      judgeRun(prompt('reply'), turn([text('unknown')])).why,
    ]).toStrictEqual([
      'it ended and changed nothing, though it promises a change',
      'forget was not done: a person denied it',
      'it is not known whether the text was done',
    ]);
  });
});

describe('judgeRunbook', () => {
  const { work } = sampleJob({ when });
  const runbook = { kind: 'runbook', runbook: 'test', hash: '0'.repeat(64), inputs: {} } as const;
  const why = 'step 1 was not done';
  const ended = (...states: readonly EndedStep['state'][]): EndedStep[] =>
    states.map((state, n) => ({ at: [n], n: n + 1, state }));

  it('judges a run by its record', () => {
    type Ended = Parameters<typeof judgeRunbook>[1];
    // biome-ignore format: one case per line
    const cases: readonly (readonly [typeof work, Pick<Ended, 'state' | 'ended'> & Partial<Ended>, unknown])[] = [
      [work, { state: 'running', ended: [] }, undefined],
      [work, { state: 'done', ended: ended('done') }, {}],
      [work, { state: 'done', ended: ended('failed', 'done'), why }, { state: 'failed', why }],
      [work, { state: 'done', ended: ended('failed', 'unknown', 'done'), why }, { state: 'unknown', why }],
      [runbook, { state: 'done', ended: ended('failed', 'done'), why }, {}],
      [runbook, { state: 'failed', ended: ended('done', 'failed'), why }, { state: 'failed', why }],
      [runbook, { state: 'failed', ended: ended('unknown'), why }, { state: 'unknown', why }],
      [runbook, { state: 'stopped', ended: [] }, { state: 'stopped', why: 'it stopped' }],
    ];
    for (const [given, run, outcome] of cases)
      expect(judgeRunbook({ promises: 'nothing', work: given }, { why: undefined, ...run })).toStrictEqual(outcome);
  });
});
