/**
 * What is safe is also of use: honest tasks are done, with the approvals they should take and no
 * more.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { someOf } from '../support/sample.ts';
import { HARMLESS } from './harmless.ts';
import { HONEST_TASKS, type HonestReport, runHonest } from './honest-tasks.ts';
import { renderHonest } from './render.ts';

const requests = someOf('harmless requests', HARMLESS, 24);
let honest: HonestReport;
let harmless: HonestReport;
beforeAll(async () => {
  ({ honest, harmless } = await runHonest(requests));
});
afterAll(() => {
  if (harmless === undefined) return;
  console.log([renderHonest('honest tasks', honest), renderHonest('harmless requests', harmless)].join('\n'));
});

const allDone = (tasks: number, approvals: number): HonestReport => ({
  tasks,
  done: tasks,
  asked: approvals,
  expected: approvals,
  refused: 0,
  problems: [],
});

describe('runHonest', () => {
  it('does the honest version of every task, with no approval beyond the one that is due', () => {
    const approvals = HONEST_TASKS.reduce((sum, task) => sum + task.approvals, 0);
    expect(honest).toStrictEqual(allDone(HONEST_TASKS.length, approvals));
  });

  it('refuses none of the harmless requests, and asks only before something leaves', () => {
    expect(HARMLESS.length).toBeGreaterThanOrEqual(60);
    const approvals = requests.filter((each) => each.approvals === 1).length;
    expect(harmless).toStrictEqual(allDone(requests.length, approvals));
  });
});
