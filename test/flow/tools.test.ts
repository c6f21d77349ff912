/**
 * The sandbox's tools on the real stack: bundled beside Act, started for a call, and their results
 * back at the model.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { ModelServerRequest, ScriptedAnswer } from '../support/model-server.ts';
import { call, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, startTestStack, until } from '../support/stack.ts';

const because = { explanation: 'the owner asked for exactly this' };

const answer = (request: ModelServerRequest): ScriptedAnswer => {
  const text = userTextOf(request);
  const results = toolResultsOf(request);
  if (text === 'count far') {
    const last = results.at(-1) ?? '';
    const [, id, from] = /"id":"([^"]+)","from":(\d+)/.exec(last) ?? [];
    if (results.length === 0) return call('calculate', { expression: '"ab".repeat(10000) + "END"', ...because });
    if (results.length === 1) return call('read-output', { id: id ?? '', from: Number(from), ...because });
    const more = /read on from (\d+)/.exec(last)?.[1];
    const first = /"id":"([^"]+)"/.exec(results[0] ?? '')?.[1] ?? '';
    return more === undefined
      ? say(`read to the end: ${last.includes('this is its end')}`)
      : call('read-output', { id: first, from: Number(more), ...because });
  }
  if (text === 'write it down' && results.length === 0)
    return say(
      JSON.stringify({
        text: 'Let me see.',
        calls: [{ tool: 'calculate', args: { expression: '6 * 7' }, ...because }],
      }),
    );
  if (text === 'get it wrong' && results.length === 0) {
    const isRejected = request.messages.some(({ content }) => (content ?? '').includes('expression is missing'));
    return isRejected
      ? call('calculate', { expression: '5 + 5', ...because })
      : call('calculate', { sum: '5 + 5', ...because });
  }
  if (text === 'work and wait' && results.length === 0)
    return {
      kind: 'answer',
      calls: [
        { tool: 'calculate', args: { expression: '1 + 1', ...because } },
        { tool: 'run-code', args: { language: 'javascript', code: 'console.log("ran")', ...because } },
        { tool: 'run-code', args: { language: 'javascript', code: 'console.log("denied")', ...because } },
        { tool: 'calculate', args: { expression: '2 + 2', ...because } },
      ],
    };
  if (text === 'read all' && results.length === 0) {
    const reads = ['recall', 'list-memory', 'current-time'].map((tool) => ({
      tool,
      args: { ...(tool === 'recall' ? { query: 'x' } : {}), ...because },
    }));
    return {
      kind: 'answer',
      calls: [...reads, { tool: 'remember', args: { text: 'x marks it', ...because } }, ...reads],
    };
  }
  if (results.length > 0) return say(`I read: ${results.join(' | ')}`);
  if (text.startsWith('work out ')) return call('calculate', { expression: text.slice(9), ...because });
  if (text.startsWith('run ')) return call('run-code', { language: 'javascript', code: text.slice(4), ...because });
  return say(`re ${text}`);
};

const NONE: ModelServerRequest = { path: '', headers: {}, model: '', messages: [], tools: [], pictures: [], body: {} };

const world = await startTestStack({ script: answer, isPolling: false });
afterAll(world.stop);

const ask = async (text: string) => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text, session: 'tools' });
  return world.settled(body.id);
};

describe('calculate', () => {
  it('is worked out by Act without asking anybody, and the result reaches the model', async () => {
    const view = await ask('work out 2n ** 70n');
    expect(view).toMatchObject({ state: 'acted', effects: [{ actuator: 'tool', state: 'done' }] });
    expect(view.replies.join()).toContain('1180591620717411303424');
  });

  it('ends an endless script, says so, and leaves Act in working order', async () => {
    expect((await ask('work out for (;;) {}')).replies.join()).toContain('took too many steps and was ended');
    expect((await ask('work out 1 + 1')).replies.join()).toContain('state: done\n2');
  });
});

describe('run-code', () => {
  /** What a program gave after a yes. */
  const outputOf = async (code: string) => {
    const { id } = await ask(`run ${code}`);
    const { body } = await world.api<{ approvals: { id: string; signalId: string }[] }>(
      'GET',
      '/api/approvals',
      undefined,
      APPROVER_TOKEN,
    );
    const approval = body.approvals.find(({ signalId }) => signalId === id);
    await world.api('POST', `/api/approvals/${approval?.id}`, { decision: 'approve' }, APPROVER_TOKEN);
    const done = async () => (await world.signal(id)).effects.find(({ state }) => state === 'done');
    return (await until('the program ran', done)).output;
  };

  it('keeps its variables for the next program of the conversation', async () => {
    expect(await outputOf('state.rate = 1.19; state.sums = [100]')).toBe('[\n 100\n]');
    expect(await outputOf('state.sums.push(100 * state.rate); state.sums.join()')).toBe('100,119');
  });

  it('waits for a yes, then runs, and what it printed reaches the model', async () => {
    const view = await ask('run for (const n of [1, 2]) console.log("line", n)');
    expect(view).toMatchObject({ state: 'suspended', effects: [{ state: 'suspended' }] });
    const { body } = await world.api<{ approvals: { id: string }[] }>(
      'GET',
      '/api/approvals',
      undefined,
      APPROVER_TOKEN,
    );
    const id = body.approvals[0]?.id ?? '';
    await world.api('POST', `/api/approvals/${id}`, { decision: 'approve' }, APPROVER_TOKEN);
    const effect = await until('the program ran', async () =>
      (await world.signal(view.id)).effects.find(({ state }) => state === 'done'),
    );
    expect(effect).toMatchObject({ output: 'line 1\nline 2\n' });
  });

  it('is refused, with the line, where the code does not parse', async () => {
    const view = await ask('run const = 3');
    expect(view.replies.join()).toContain('the javascript would be broken: it does not parse (line 1)');
  });
});

describe('tool calls', () => {
  it('of a model that cannot call tools come as JSON text, and its prose is a reply', async () => {
    const view = await ask('write it down');
    expect(view.replies.join()).toContain('Let me see.');
    expect(view.replies.join()).toContain('state: done\n42');
    expect((await ask('just talk')).replies).toStrictEqual(['re just talk']);
  });

  it('whose arguments do not fit go back with what is wrong, named', async () => {
    const view = await ask('get it wrong');
    expect(view.replies.join()).toContain('state: done\n10');
    expect(view.decision?.attempts).toHaveLength(2);
  });

  it('of one answer come back as one signal, in their order, and a read after a write sees it', async () => {
    const view = await ask('read all');
    expect(view.effects.map(({ state }) => state)).toStrictEqual(Array(7).fill('done'));
    const [before, , , , after] = view.effects.map(({ output }) => output ?? '');
    expect(before).toBe('No note has any of these words.');
    expect(after).toContain('x marks it');
    expect(view.children).toStrictEqual([`${view.id}/1`]);
  });

  it('of which some wait for a person come back without them, and each of those by itself once it is decided', async () => {
    const view = await ask('work and wait');
    expect(view.effects.map(({ state }) => state)).toStrictEqual(['done', 'suspended', 'suspended', 'done']);
    expect([view.state, view.turn]).toStrictEqual(['suspended', 'waiting']);
    const waiting = 'waiting for a person to approve it';
    const results = toolResultsOf(world.model.requests.at(-1) ?? NONE);
    expect(results.map((text) => text.includes(waiting))).toStrictEqual([false, true, true, false]);
    expect([results[0], results[3]].map((text) => /state: done\n(\d)/.exec(text ?? '')?.[1])).toStrictEqual(['2', '4']);
    const decide = async (n: number, decision: 'approve' | 'deny') => {
      const { body } = await world.api<{ approvals: { id: string; signalId: string; n: number }[] }>(
        'GET',
        '/api/approvals',
        undefined,
        APPROVER_TOKEN,
      );
      const approval = body.approvals.find((one) => one.signalId === view.id && one.n === n);
      await world.api('POST', `/api/approvals/${approval?.id}`, { decision }, APPROVER_TOKEN);
    };
    const before = world.model.requests.length;
    await decide(1, 'approve');
    await until('the model is told', () => world.model.requests.length === before + 1);
    // It comes back beside the others of its answer: none of them looks as if nobody knew it.
    const statesOf = () =>
      toolResultsOf(world.model.requests.at(-1) ?? NONE).map((text) => /^state: (\w+)/.exec(text)?.[1]);
    expect(statesOf()).toStrictEqual(['done', 'done', 'suspended', 'done']);
    expect(toolResultsOf(world.model.requests.at(-1) ?? NONE)[1]).toContain('state: done\nran');
    expect((await world.signal(view.id)).state).toBe('suspended');
    await decide(2, 'deny');
    await until('nothing waits any more', async () => (await world.settled(view.id)).turn === 'ended');
    const ended = await world.signal(view.id);
    expect(ended.effects.map(({ state }) => state)).toStrictEqual(['done', 'done', 'refused', 'done']);
    expect(world.model.requests).toHaveLength(before + 2);
    expect(statesOf()).toStrictEqual(['done', 'done', 'refused', 'done']);
  });

  it('can read a long output to its end', async () => {
    expect((await ask('count far')).replies.at(-1)).toBe('read to the end: true');
  });
});
