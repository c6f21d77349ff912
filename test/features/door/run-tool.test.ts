/** The call of a tool of the MCP server, over a console whose answers are given. */
import { describe, expect, it } from 'vitest';
import { CONSOLE_VERBS } from '../../../lib/core/edge/console/console-verbs.ts';
import { FOLLOW_MS_MAX, type RunDeps, runTool } from '../../../lib/features/door/run-tool.ts';
import { buildDoorTools, type ConsoleRequest, type DoorTool } from '../../../lib/features/door/tools.ts';
import { FEATURES } from '../../../lib/features/features.ts';

const TOOLS = buildDoorTools([...FEATURES, CONSOLE_VERBS]);
const toolOf = (name: string): DoorTool => {
  const found = TOOLS.find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
};

const turn = (further: object) => ({
  status: 200,
  value: { id: 'con-1', state: 'acted', turn: 'ended', replies: ['done'], isTurnClosed: true, ...further },
});
const ACCEPTED = { status: 202, value: { id: 'con-1' } };

/** @param answers in their order; the last one stays */
const over = (answers: readonly { readonly status: number; readonly value: unknown }[]) => {
  const asked: ConsoleRequest[] = [];
  let clock = 0;
  let ids = 0;
  const deps: RunDeps = {
    ask: async (request) => {
      asked.push(request);
      return answers[Math.min(asked.length, answers.length) - 1] ?? { status: 500, value: undefined };
    },
    now: () => clock,
    sleep: async (ms) => {
      clock += ms;
    },
    newId: () => {
      ids += 1;
      return `key-${ids}`;
    },
  };
  return { deps, asked, elapsed: () => clock };
};

describe('runTool', () => {
  it.each([
    ['jobs_list', {}, { method: 'GET', path: '/api/jobs/list', query: {} }],
    [
      'jobs_history',
      { name: 'tea', count: 5 },
      { method: 'GET', path: '/api/jobs/history', query: { name: 'tea', count: '5' } },
    ],
    [
      'ask',
      { text: 'hello' },
      {
        method: 'POST',
        path: '/api/messages',
        query: { idempotencyKey: 'key-1' },
        body: { text: 'hello', session: 'main' },
      },
    ],
    [
      'remember',
      { text: 'tea' },
      { method: 'POST', path: '/api/remember', query: { idempotencyKey: 'key-1' }, body: { text: 'tea' } },
    ],
    ['stop', {}, { method: 'POST', path: '/api/stop', query: { idempotencyKey: 'key-1' }, body: {} }],
  ])('asks the console for %s %j', async (name, args, request) => {
    const { deps, asked } = over([
      name.startsWith('jobs') ? { status: 200, value: { lines: [] } } : ACCEPTED,
      turn({}),
    ]);
    await runTool(deps, toolOf(name), args);
    expect(asked[0]).toStrictEqual(request);
  });

  it.each([
    ['done', turn({ outcome: 'done' }), 'done', false],
    ['without words', turn({ replies: [], outcome: 'refused' }), 'It ended as refused.', true],
    ['failed', turn({ replies: ['no'], outcome: 'failed' }), 'no', true],
  ])('tells a turn that ended %s', async (_, ended, text, isError) => {
    const { deps } = over([ACCEPTED, turn({ turn: 'running' }), ended]);
    expect(await runTool(deps, toolOf('ask'), { text: 'x' })).toMatchObject({ kind: 'answered', text, isError });
  });

  it('looks once more after a turn that a result may still go on with', async () => {
    const open = turn({ isTurnClosed: false, replies: ['first'] });
    const { deps } = over([ACCEPTED, open, turn({ replies: ['first', 'second'] })]);
    expect(await runTool(deps, toolOf('ask'), { text: 'x' })).toMatchObject({ text: 'first\n\nsecond' });
  });

  it('tells the id of a turn that takes too long, and follows it later without a new request', async () => {
    const { deps, asked, elapsed } = over([ACCEPTED, turn({ turn: 'running', replies: [] })]);
    const told = await runTool(deps, toolOf('ask'), { text: 'x' });
    expect(told).toMatchObject({ kind: 'answered', data: { id: 'con-1', turn: 'running' }, isError: false });
    expect(elapsed()).toBeGreaterThanOrEqual(FOLLOW_MS_MAX);
    expect(asked.length).toBeLessThan(30);
    const later = over([turn({})]);
    expect(await runTool(later.deps, toolOf('result'), { id: 'con-1' })).toMatchObject({ text: 'done' });
    expect(await runTool(later.deps, toolOf('ask'), { text: 'x' }, 'con-1')).toMatchObject({ text: 'done' });
    expect(later.asked.map(({ method }) => method)).toStrictEqual(['GET', 'GET']);
  });

  it.each([
    [404, { error: { code: 'not-found', message: 'there is no job nobody' } }, 'there is no job nobody'],
    [502, 'a page of a proxy', 'the agent answered with status 502'],
  ])('says why status %s', async (status, value, text) => {
    const { deps } = over([{ status, value }]);
    expect(await runTool(deps, toolOf('jobs_show'), { name: 'nobody' })).toMatchObject({ text, isError: true });
  });

  it('takes no path in an id', async () => {
    const { deps, asked } = over([turn({})]);
    for (const id of ['con-1/../../policy', '../policy', 'con-1?x=1', ''])
      await expect(runTool(deps, toolOf('result'), { id })).rejects.toThrow();
    expect(asked).toStrictEqual([]);
  });
});
