import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { analysePolicy } from '../../../infra/cli/policy/analyse-policy.ts';
import { buildPastAt, type Happened } from '../../../lib/judge/policy/past.ts';
import { NO_PAST } from '../../../lib/judge/policy/policy-domain.ts';
import { importCedar } from '../../../lib/judge/policy/space-policy.ts';
import { webhookCall } from '../../gates/samples.ts';

const cedar = await importCedar();
const rule = (condition: string): string => `forbid(principal, action, resource) when { ${condition} };`;

describe('policy check', () => {
  it.each([
    ['context.past.to.day >= 3', false],
    ['context.past.tool.failedTo == "release"', false],
    ['context.past.to.week >= 3', true],
    ['context.past.same.ever == "never"', true],
    ['context.past.minutesSinceOutside', true],
  ])('knows the types of the past: %s', (condition, isProblem) => {
    expect(analysePolicy(cedar, rule(condition)).problems.length > 0).toBe(isProblem);
  });

  it('finds nothing wrong with the examples of the page', () => {
    const page = readFileSync(new URL('../../../lib/judge/README.md', import.meta.url), 'utf8');
    const examples =
      [...page.matchAll(/```cedar\n(.*?)```/gs)].map(([, text = '']) => text).find((text) => text.includes('past')) ??
      '';
    const { problems, never, idle } = analysePolicy(cedar, examples);
    expect([problems, never, idle, examples.match(/@id/g)?.length]).toStrictEqual([[], [], [], 5]);
  });
});

describe('buildPastAt', () => {
  const HOUR = 3_600_000;
  const action = webhookCall();
  const other = { ...action, explanation: 'another reason' };
  const begun = (at: number, changes: Partial<Happened> = {}): Happened => ({
    at,
    action,
    hasFailed: false,
    bringsOutside: true,
    ...changes,
  });
  const now = 40 * HOUR;
  it.each([
    ['nothing', [], NO_PAST],
    [
      'one a moment ago, with a yes, for another reason',
      [begun(now - 5 * 60_000, { action: other, isApproved: true })],
      {
        tool: { hour: 1, day: 1, failedTo: '' },
        to: { hour: 1, day: 1, isFirst: false },
        same: { day: 1, ever: 1, approved: 1 },
        minutesSinceOutside: 5,
      },
    ],
    [
      'one within the day that failed, one before it, and one that comes later',
      [begun(now - 2 * HOUR, { hasFailed: true }), begun(now - 30 * HOUR), begun(now + 1)],
      {
        tool: { hour: 0, day: 1, failedTo: action.to },
        to: { hour: 0, day: 1, isFirst: false },
        same: { day: 1, ever: 2, approved: 0 },
        minutesSinceOutside: 120,
      },
    ],
  ])('counts %s', (_, happened, past) => {
    expect(buildPastAt(happened)(action, now, 'owner')).toStrictEqual(past);
    expect(buildPastAt(happened)(action, now, 'outside').minutesSinceOutside).toBe(0);
  });
});
