import { describe, expect, it } from 'vitest';
import type { SignalState } from '../../../../lib/core/signal/signal.ts';
import {
  plainWords,
  type Story,
  type StoryAction,
  shownStateOf,
} from '../../../../lib/core/verbs/signals/plain-words.ts';
import { EN } from '../../../../lib/core/verbs/signals/texts.ts';

const action = (changes: Partial<StoryAction> = {}): StoryAction => ({
  call: undefined,
  isNotice: false,
  state: 'done',
  reason: undefined,
  trace: [],
  ...changes,
});
const story = (changes: Partial<Story> = {}): Story => ({
  state: 'acted',
  stateReason: undefined,
  outcome: 'act',
  outcomeReason: '',
  rejectedCount: 0,
  actions: [action()],
  ...changes,
});
const asked = [
  { gate: 'a', verdict: 'pass', reason: '' },
  { gate: 'b', verdict: 'ask', reason: 'it leaves the space' },
] as const;

describe('plainWords', () => {
  it.each<[string, Partial<Story>, readonly string[]]>([
    ['a reply', {}, ['My reply was sent.']],
    ['a notice', { actions: [action({ isNotice: true })] }, ['A fixed notice was sent.']],
    [
      'a call after a rejected proposal',
      { actions: [action({ call: 'Keep the note “a”' })], rejectedCount: 1 },
      ['Keep the note “a”: this was done.', 'Before that the rules rejected one proposal of the model.'],
    ],
    [
      'a call that waits',
      { state: 'suspended', actions: [action({ call: 'Forget the note 1a2b', state: 'suspended', trace: asked })] },
      ["Forget the note 1a2b: this waits for a person's yes: it leaves the space."],
    ],
    [
      'a call that a machine has',
      {
        state: 'suspended',
        actions: [action({ call: 'Run “ls”', state: 'handed', reason: 'home, which has until 13:05 UTC' })],
      },
      ['Run “ls”: this was handed to a machine of yours and has not come back: home, which has until 13:05 UTC.'],
    ],
    [
      'effects that went wrong',
      {
        actions: [
          action({ call: 'X', state: 'failed', reason: 'no answer' }),
          action({ state: 'unknown' }),
          action({ state: 'refused', reason: 'stopped.' }),
        ],
      },
      [
        'X: this failed: no answer.',
        'My reply was begun, but nobody knows whether it happened.',
        'My reply was refused just before it would have happened: stopped.',
      ],
    ],
    [
      'a refusal',
      { outcome: 'refuse', outcomeReason: 'remember: it holds a key (secret-formats)', rejectedCount: 3 },
      [
        'Nothing was done: the rules refused what the model proposed, 3 times: remember: it holds a key (secret-formats).',
      ],
    ],
    [
      'a refusal without any proposal',
      { outcome: 'refuse', outcomeReason: 'the kill switch is on' },
      ['Nothing was done: the kill switch is on.'],
    ],
    [
      'a drop',
      { outcome: 'drop', outcomeReason: 'deeper than 10 steps' },
      ['It was not worked on: deeper than 10 steps.'],
    ],
    [
      'what is not decided',
      { state: 'received', outcome: undefined },
      ['Nothing is decided yet: it is still being worked on.'],
    ],
    [
      'what was set aside',
      { state: 'dead-lettered', outcome: undefined, stateReason: 'poison' },
      ['It could not be worked on and was set aside: poison.'],
    ],
    [
      'what is on its way',
      { state: 'reasoned', actions: [action({ state: 'pending' }), action({ call: 'X', state: 'claimed' })] },
      ['My reply is decided and about to happen.', 'X: this is under way.'],
    ],
  ])('tells %s', (_, changes, lines) => {
    expect(plainWords(story(changes), EN.story)).toStrictEqual(lines);
  });
});

describe('shownStateOf', () => {
  it('believes the code of a record, whatever its words say', () => {
    const stateReason = 'ein Auftrag hat es';
    expect(shownStateOf({ state: 'dropped', stateReason, because: { code: 'jobs', jobs: ['watch'] } })).toBe(
      'handed on',
    );
    expect(shownStateOf({ state: 'dropped', stateReason, because: { code: 'no-job' } })).toBe('recorded');
    expect(shownStateOf({ state: 'dropped', stateReason })).toBe('dropped');
  });

  it.each<[SignalState, string | undefined, string]>([
    ['dropped', 'handed to the job watch, tidy', 'handed on'],
    ['dropped', 'it runs the runbook deploy-gate', 'handed on'],
    ['dropped', 'it goes on with its steps', 'handed on'],
    ['dropped', 'the model is asked', 'handed on'],
    ['dropped', 'it waits', 'handed on'],
    ['dropped', 'the run has gone on', 'handed on'],
    ['dropped', 'the run is done', 'handed on'],
    ['dropped', 'no job waits for it', 'recorded'],
    ['dropped', 'no job waits for it, until the open question about github is answered', 'recorded'],
    ['dropped', 'it only says that the service is connected', 'recorded'],
    ['dropped', 'too many messages of this conversation wait', 'dropped'],
    ['dropped', 'its lines go to the job watch', 'handed on'],
    ['dropped', 'the run is stopped', 'dropped'],
    ['dropped', 'the skill tidy says: it waits', 'dropped'],
    ['dropped', undefined, 'dropped'],
    ['acted', 'it waits', 'acted'],
  ])('shows %s with %j as %s', (state, stateReason, shown) => {
    expect(shownStateOf({ state, stateReason })).toBe(shown);
  });
});
