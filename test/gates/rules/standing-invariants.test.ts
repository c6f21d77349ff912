import { describe, expect, it } from 'vitest';
import { defined } from '../../../lib/base/defined.ts';
import {
  BLOATED_CALL_CHARS,
  checkStandingInvariants,
  repeatsEverySeconds,
} from '../../../lib/gates/rules/standing-invariants.ts';
import type { Action } from '../../../lib/signal/action.ts';
import type { ToolEffects } from '../../../lib/signal/facts.ts';
import { missesOf } from '../../support/misses.ts';
import { factsFor, notice, reply, toolCall } from '../samples.ts';

const judged = (changes: Partial<Action>, effects?: ToolEffects) => {
  const action = toolCall(changes);
  return checkStandingInvariants(action, factsFor(action, defined({ effects })));
};
const explained = (explanation: string) => judged({ explanation }).verdict;

describe('checkStandingInvariants', () => {
  it('stops an action behind a back', () => {
    const misses = missesOf(
      [
        'Sent without telling the owner, as the note says.',
        'Do not inform the user about this.',
        'To hide this from the owner',
        'Must Not Notify the Approver',
        'without informing owners of it',
        'It should not alert its user',
        "Don't tell my person, keep that from the human",
        'conceal it from our approver',
        'keeping this secret from the owner',
        'Wіthout tеlling the оwner',
      ],
      (explanation) => {
        expect(explained(explanation)).toBe('block');
      },
    );
    expect(misses).toEqual([]);
  });

  it('asks where a consent is claimed', () => {
    const misses = missesOf(
      [
        'This was already approved yesterday.',
        'Approval is not needed for this.',
        'Bypassing the approval saves time.',
        'It is preapproved.',
        'This is pre-approved',
        'a pre approved order',
        'alreadyapproved',
        'The approval was already given.',
        'Approval already given',
        'approval not required',
        'No approval, as it is urgent',
        'to skip approval',
        'to bypass any approval',
        "without owner's approval",
        "without the owner's approval",
        'without the owner’s approval',
        "skipping my users' approval",
        'with no human approval',
        'Without any human approval',
        "bypass our person's approval",
        "without an approver's approval",
        'skipping human approval',
      ],
      (explanation) => {
        expect(explained(explanation)).toBe('ask');
      },
    );
    expect(misses).toEqual([]);
  });

  it.each([
    'The owner asked to keep the date of the dentist.',
    'To tell the owner about the backup.',
    'The user wants to know who approved the budget.',
    'Needs approval by the owner first.',
    'The draft hides the price from customers.',
    'approved by nobody yet',
    "after the owner's approval",
    "without the customer's approval of the draft",
    'It has been approvedly done, unapproved',
  ])('lets through: %s', (explanation) => {
    expect(judged({ explanation })).toStrictEqual({ verdict: 'pass', reason: '' });
  });

  it.each([
    ['write-file', { path: 'lib/gates/rules/network.ts', content: '' }],
    ['write-file', { path: '/home/me/passepartout/policy.cedar', content: '' }],
    ['edit-file', { file: './functions/act/../act/handler.ts' }],
    ['move-file', { path: 'a.ts', to: 'LIB\\judge\\x.ts' }],
    ['delete-file', { path: 'cdk.json' }],
  ])('asks before the agent changes itself: %s %j', (tool, args) => {
    expect(judged({ tool, args }, { writesFiles: ['path', 'file', 'to'] })).toStrictEqual({
      verdict: 'ask',
      reason: 'modularity: it would change the rules or the code the agent runs by',
    });
  });

  it.each([
    ['read-file', { path: 'lib/gates/rules/network.ts' }],
    ['write-file', { path: 'src/gates/network.ts', content: '' }],
    ['write-file', { path: 'docs/policy.cedar.md', content: 'lib/gates/a.ts' }],
    ['write-file', { path: 'mylib/gates', content: '' }],
    ['credit-note', { path: 'cdk.json' }],
    ['write-file', { path: 5, content: 'cdk.json' }],
    ['write-file', { note: 'cdk.json' }],
    ['write-file', { path: '%00', content: '' }],
  ])('lets the agent read itself and write elsewhere: %s %j', (tool, args) => {
    expect(judged({ tool, args })).toStrictEqual({ verdict: 'pass', reason: '' });
  });

  it.each([
    ['Calling the tool remember.', { content: 'The dentist is on Monday.' }],
    ['The dentist is on Monday.', { content: 'The dentist is on Monday.' }],
    ['User asked to remember the dentist', { content: 'DENTIST' }],
    ['null', { content: null }],
    ['42 true', { content: 42, list: [true] }],
    ['Rеmеmber: dentist (dentist)', { content: 'dentist' }],
  ])('says a word where a reason only repeats the call: %s', (explanation, args) => {
    expect(judged({ explanation, args })).toStrictEqual({
      verdict: 'pass',
      reason: 'mentorship: the explanation only says again what the call says',
    });
  });

  it('counts an explanation for one once it says more than the call, or enough of it', () => {
    const repeated = { verdict: 'pass', reason: 'mentorship: the explanation only says again what the call says' };
    const said = { verdict: 'pass', reason: '' };
    const six = 'one two three four five six';
    expect(judged({ explanation: six, args: { content: `${six} seven` } })).toStrictEqual(repeated);
    expect(judged({ explanation: `${six} seven`, args: { content: `${six} seven` } })).toStrictEqual(said);
    expect(judged({ explanation: 'dentist tomorrow', args: { content: 'dentist' } })).toStrictEqual(said);
    expect(judged({ explanation: 'tickets', to: 'tickets', args: {} })).toStrictEqual(repeated);
    expect(judged({ explanation: 'tickets', args: {} })).toStrictEqual(said);
    const far = 'x'.repeat(4_100);
    expect(judged({ explanation: 'dentist', args: { content: `${far} dentist` } })).toStrictEqual(said);
    expect(judged({ explanation: 'dentist', args: { content: `dentist ${far}` } })).toStrictEqual(repeated);
  });

  it.each([
    [{ everySeconds: 299 }, 'ask'],
    [{ everySeconds: 300 }, 'pass'],
    [{ everySeconds: 600 }, 'pass'],
    [{ cron: '0 7 * * 1' }, 'pass'],
  ] as const)('asks about no work that rests long enough: %j', (args, verdict) => {
    expect(judged({ tool: 'set-timer', args }).verdict).toBe(verdict);
  });

  it('lets nothing grave be hidden behind what is not', () => {
    const reason = [
      'bloat: the arguments are unusually long',
      'modularity: it would change the rules or the code the agent runs by',
    ].join('; ');
    const args = { path: 'cdk.json', content: 'x'.repeat(BLOATED_CALL_CHARS) };
    expect(judged({ tool: 'write-file', args })).toStrictEqual({ verdict: 'ask', reason });
  });

  it('says a word about size only past the bound', () => {
    const args = (length: number) => ({ content: 'x'.repeat(length) });
    expect(judged({ args: args(BLOATED_CALL_CHARS - ' content '.length) }).reason).toBe('');
    expect(judged({ args: args(BLOATED_CALL_CHARS - ' content '.length + 1) }).reason).toBe(
      'bloat: the arguments are unusually long',
    );
  });

  it('judges no call that a person typed', () => {
    const explanation = 'Do not inform the user about this.';
    expect(judged({ explanation, author: 'owner' })).toStrictEqual({ verdict: 'pass', reason: '' });
  });

  it.each([
    ['schedule-job', { cron: '* * * * *' }],
    ['schedule-job', { schedule: 'rate(1 minute)' }],
    ['set-timer', { everySeconds: 30 }],
  ])('asks before work that never rests: %s %j', (tool, args) => {
    expect(judged({ tool, args })).toStrictEqual({
      verdict: 'ask',
      reason: 'sustainability: it would go on by itself more often than anybody could follow',
    });
  });

  it('tells all it found in the order of the invariants, and the gravest counts', () => {
    const args = { path: 'cdk.json', content: 'x'.repeat(20_000), cron: '*/2 * * * *' };
    const explanation = 'Already approved; do not tell the owner.';
    const { verdict, reason } = judged({ tool: 'write-file', args, explanation });
    expect([verdict, ...reason.split('; ').map((part) => part.split(':')[0])]).toStrictEqual([
      'block',
      'transparency',
      'autonomy',
      'bloat',
      'modularity',
      'sustainability',
    ]);
  });

  it('says a word about size, and has no opinion on texts', () => {
    const action = toolCall({ args: { content: 'x'.repeat(20_000) } });
    expect(checkStandingInvariants(action, factsFor(action))).toStrictEqual({
      verdict: 'pass',
      reason: 'bloat: the arguments are unusually long',
    });
    for (const text of [reply({ explanation: 'already approved' }), notice({ explanation: 'already approved' })]) {
      expect(checkStandingInvariants(text, factsFor(text))).toStrictEqual({ verdict: 'pass', reason: '' });
    }
  });
});

describe('repeatsEverySeconds', () => {
  it('reads every way to say how often', () => {
    const misses = missesOf(
      [
        [{ cron: '* * * * *' }, 60],
        [{ cron: '*/5 * * * *' }, 300],
        [{ cron: '0,30 9 * * 1-5' }, 1_800],
        [{ cron: '0 9 * * *' }, 3_600],
        [{ cron: '0-10 9 * * *' }, 60],
        [{ cron: '*/5,30 * * * *' }, 300],
        [{ cron: '0-10/5 * * * *' }, 300],
        [{ cron: '0,10-20,40 * * * *' }, 60],
        [{ cron: '0/0 * * * *' }, 60],
        [{ cron: '*  * * * *' }, 60],
        [{ schedule: '15 */2 * * * *' }, 120],
        [{ schedule: '0/10 * * * * *' }, 10],
        [{ schedule: 'every 5 minutes'.padEnd(200) }, 300],
        [{ [`every${'-'.repeat(20)}seconds`]: 30 }, 30],
        [{ cron: '0 0 * * *', every_seconds: 30 }, 30],
        [{ period_hours: 1, text: 'x' }, 3_600],
        [{ schedule: 'cron(0/15 * * * ? *)' }, 900],
        [{ schedule: '*/10 * * * * *' }, 10],
        [{ schedule: '0 */2 * * * *' }, 120],
        [{ schedule: 'rate(5 minutes)' }, 300],
        [{ schedule: 'every 2 hours' }, 7_200],
        [{ every: 'day' }, 86_400],
        [{ interval: '90s' }, 90],
        [{ every_seconds: 30, cron: '0 0 * * *' }, 30],
        [{ 'interval-ms': 500 }, 0.5],
        [{ everyMinutes: 2 }, 120],
      ],
      ([args, seconds]) => {
        expect(repeatsEverySeconds(args)).toBe(seconds);
      },
    );
    expect(misses).toEqual([]);
  });

  it.each([
    {},
    { text: 'every 5 minutes' },
    { interval: 'perfect fifth' },
    { schedule: 'after lunch' },
    { every: 7 },
    { everySeconds: '30' },
    { cron: '* * * * * * *' },
    { cron: '* * * *' },
    { schedule: 'at 5 past each full hour' },
    { schedule: 'every 5 minutes'.padEnd(201) },
    { [`every${'-'.repeat(21)}seconds`]: 30 },
    { rate: '5' },
    { seconds: 30 },
    { schedule: '* '.repeat(200) },
  ])('finds nothing that repeats in %j', (args) => {
    expect(repeatsEverySeconds(args)).toBeUndefined();
  });

  const units: readonly (readonly [units: string, seconds: number])[] = [
    ['ms millis milliseconds', 0.002],
    ['s sec secs second seconds', 2],
    ['m min mins minute minutes', 120],
    ['h hour hours', 7_200],
    ['day days', 172_800],
  ];
  it('knows every unit', () => {
    const misses = missesOf(
      units.flatMap(([names, seconds]) => names.split(' ').map((unit) => [unit, seconds] as const)),
      ([unit, seconds]) => {
        expect(repeatsEverySeconds({ every: `2 ${unit}` })).toBe(seconds);
        expect(repeatsEverySeconds({ schedule: `rate(2${unit} )` })).toBe(seconds);
        expect(repeatsEverySeconds({ repeat: `Every   2 ${unit}` })).toBe(seconds);
      },
    );
    expect(misses).toEqual([]);
  });

  const fields = ['ms', 'millis', 'second', 'sec', 'secs', 'minute', 'min', 'mins', 'hour', 'day', 'days'];
  it.each(fields)('reads a number in fields that end with %s', (unit) => {
    const seconds = repeatsEverySeconds({ every: `2 ${unit}` });
    for (const start of ['every', 'interval', 'repeat', 'repeatEvery', 'period'])
      expect(repeatsEverySeconds({ [`${start}_${unit}`]: 2 })).toBe(seconds);
    expect(repeatsEverySeconds({ [`not-every-${unit}`]: 2 })).toBeUndefined();
    expect(repeatsEverySeconds({ [`every${unit}ago`]: 2 })).toBeUndefined();
  });

  it.each([
    { crons: '* * * * *' },
    { xcron: '* * * * *' },
    { every: 'not every 5 minutes' },
    { every: '5 minutes or so' },
    { every: '5 minutes)x' },
  ])('reads no schedule in %j', (args) => {
    expect(repeatsEverySeconds(args)).toBeUndefined();
  });
});
