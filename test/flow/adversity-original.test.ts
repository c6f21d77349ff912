/**
 * The faults of the original system, each by the number of the list they were collected in, shown
 * not to be back: through the whole pipeline where it is about the pipeline, at the part where it
 * is about the part.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { hashOf } from '../../lib/base/canonical.ts';
import { parseTelegramUpdate } from '../../lib/channels/telegram/parse-update.ts';
import { buildGateSet } from '../../lib/gates/engine/build-gate-set.ts';
import { GATE_SET, GATES } from '../../lib/gates/engine/gate-set.ts';
import { replay } from '../../lib/gates/engine/replay.ts';
import { setKillSwitch } from '../../lib/ledger/kill-switch.ts';
import { parseHead } from '../../lib/ledger/session.ts';
import type { Prompt } from '../../lib/prompt/build-prompt.ts';
import { Action, actionHash } from '../../lib/signal/action.ts';
import { PASS } from '../../lib/signal/gate.ts';
import { Signal } from '../../lib/signal/signal.ts';
import { APPROVAL_TTL_MS } from '../../lib/stages/act/suspend.ts';
import { sessionKey } from '../../lib/store/keys.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import {
  type Answer,
  buildSimulation,
  ownerMessage,
  type SimulationOptions,
  signalWith,
} from '../support/simulation.ts';
import { BECAUSE, callTool, deliverUntilAct, evidenceOf, newSpace } from './adversity-world.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

// Put together here, so that no scanner takes this file for a leak.
const KEY = ['AKIA', 'IOSFODNN7', 'EXQMPLA'].join('');
const DEPLOY = callTool('call-webhook', { webhook: 'deploys', body: { ref: 'main' } });
const hasResult = ({ messages }: Prompt): boolean =>
  messages.some(({ role, content }) => role === 'tool' || content.includes('state: '));

/** A world in which the model answers so, and in plain words once it has seen a result. */
const buildWorld = (answer: Answer | ((prompt: Prompt) => Answer), options: Partial<SimulationOptions> = {}) => {
  const space = newSpace();
  const prompts: Prompt[] = [];
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    webhookUrls: { deploys: 'https://deploys.example/hook' },
    outside: () => ({ state: 'done', output: '{"status":200}', origin: 'outside' }),
    ...options,
    answer: (prompt) => {
      prompts.push(prompt);
      if (typeof answer === 'function') return answer(prompt);
      return hasResult(prompt) ? { content: 'That is how it went.' } : answer;
    },
  });
  const evidence = (id = 'tg-1-1') => evidenceOf(dynamo.table, space, id);
  const texts = () => simulation.sent.filter(({ target }) => target === 'telegram').map(({ text }) => text);
  const calls = () => simulation.sent.filter(({ target }) => target === 'webhook');
  return { space, prompts, simulation, evidence, texts, calls };
};

const play = async (answer: Answer | ((prompt: Prompt) => Answer), options: Partial<SimulationOptions> = {}) => {
  const world = buildWorld(answer, options);
  await world.simulation.accept(ownerMessage(world.space, 1, 'please do it'));
  await world.simulation.drain();
  return world;
};

const tap = (space: string, n: number, approvalId: string, decision: 'approve' | 'deny' = 'approve') =>
  signalWith(space, `tg-1-${n}`, {
    sensor: 'approval-decision',
    approvalId,
    decision,
    card: { chat: '7', message: 5 },
  });

const approvalIdOf = async (world: Awaited<ReturnType<typeof play>>): Promise<string> =>
  (await world.evidence()).effects.find(({ approvalId }) => approvalId !== undefined)?.approvalId ?? 'none';

const blocksOf = async (world: Awaited<ReturnType<typeof play>>, id = 'tg-1-1') => [
  ...new Set(
    (await world.evidence(id)).attempts.flatMap(({ judged }) =>
      judged.flatMap(({ trace }) => trace.filter(({ verdict }) => verdict === 'block').map(({ gate }) => gate)),
    ),
  ),
];

describe('fault 1: a block at the last mile still ran', () => {
  it.each([
    ['a text', { content: 'Hello' }],
    ['a tool', callTool('remember', { text: 'tea' })],
  ])('performs nothing that Act blocks: %s', async (_what, answer) => {
    const late = { name: 'late', priority: 1, version: 1 };
    const gateSet = buildGateSet([
      ...GATES,
      { ...late, check: (_action, { stage }) => (stage === 'act' ? { verdict: 'block', reason: 'late' } : PASS) },
    ]);
    const world = await play(answer, { gateSet });
    const { decision, effects } = await world.evidence();
    expect(decision?.outcome).toBe('act');
    expect(world.simulation.sent).toStrictEqual([]);
    expect(effects.map(({ state }) => state)).toStrictEqual(['refused']);
    expect((await dynamo.table.query({ pk: `memory#${world.space}` })).items).toStrictEqual([]);
  });
});

describe('fault 2: a REQUEST went past the gates', () => {
  it.each(['EVENT', 'REQUEST', 'RESPONSE', 'LOG', 'STATUS'] as const)('gates a %s like anything else', async (type) => {
    const world = buildWorld({ content: `the key is ${KEY}` });
    await world.simulation.accept({ ...ownerMessage(world.space, 1, 'hi'), type });
    await world.simulation.drain();
    expect(await blocksOf(world)).toStrictEqual(['secret-formats']);
    expect(world.texts()).toHaveLength(1);
    expect(world.texts()[0]).toMatch(/^I could not do that/);
  });

  it('knows no signal that carries an action', () => {
    const signal = ownerMessage('s1', 1, 'hi');
    const action = { target: 'system', text: 'x', explanation: '', author: 'code', template: 'x' };
    const carriers = [
      { ...signal, action },
      { ...signal, 'approved-action': action },
      { ...signal, payload: { ...signal.payload, action } },
      { ...signal, payload: { sensor: 'action', action } },
      { ...signal, payload: { sensor: 'notice', template: 'x', action } },
    ];
    expect(carriers.map((carrier) => Signal.safeParse(carrier).success)).toStrictEqual(carriers.map(() => false));
  });
});

describe('fault 3: an "approved" flag skipped every check', () => {
  it('has no place in an action', () => {
    const action = { target: 'console', to: 'main', text: 'hi', explanation: '', author: 'model' };
    expect(Action.safeParse(action).success).toBe(true);
    expect(Action.safeParse({ ...action, approved: true }).success).toBe(false);
  });

  it('does not open a tool that asks', async () => {
    const world = await play(callTool('call-webhook', { webhook: 'deploys', body: { approved: true } }));
    expect(world.calls()).toStrictEqual([]);
    expect((await world.evidence()).record?.state).toBe('suspended');
  });
});

describe('fault 4: eval of text from a payload', () => {
  it.each([
    'eval',
    'system-eval',
    'system/eval',
    'run-shell',
    'shell',
    'exec',
    'lisp',
    'constructor',
    '__proto__',
    'toString',
  ])('knows no tool %s', async (name) => {
    const world = await play(callTool(name, { code: 'process.exit(1)' }));
    expect((await world.evidence()).decision?.outcome).toBe('refuse');
    expect(world.simulation.sent).toHaveLength(1);
  });

  it('has no way to evaluate text anywhere in what is deployed', () => {
    const files = ['lib', 'functions'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(ROOT, folder, name)),
    );
    expect(files.length).toBeGreaterThan(100);
    const evaluating = /\beval\s*\(|new Function\b|node:vm\b|node:child_process|\bimport\((?!['"])/;
    const found = files.filter((file) => evaluating.test(readFileSync(file, 'utf8')));
    // One import by a name that is no literal: its two possible values are, both files of our own
    // beside the importing one.
    expect(found.map((file) => file.slice(ROOT.length).replace(/^\//, ''))).toStrictEqual([
      'lib/judge/code/find-code-problem.ts',
      'lib/tools/mcp/servers.ts',
    ]);
    // One fixed text of our own, which calls a parser so that its time is bounded.
    const bounded = readFileSync(join(ROOT, 'lib/judge/code/find-code-problem.ts'), 'utf8');
    expect(bounded.match(/(?<!import \{ )runIn\w+(?:\('run\(\)',)?/g)).toStrictEqual(["runInNewContext('run()',"]);
    const source = readFileSync(join(ROOT, 'lib/tools/mcp/servers.ts'), 'utf8');
    expect(source.match(/\bimport\((?!['"])/g)).toHaveLength(1);
    expect(source).toContain(
      "import.meta.url.endsWith('.ts') ? './session.ts' : './mcp-session.mjs', import.meta.url)",
    );
  });
});

describe('fault 5: names compared in two ways', () => {
  it.each([
    'Call_Webhook',
    'CALL-WEBHOOK',
    ' call webhook ',
    'call__webhook',
    'ｃａｌｌ－ｗｅｂｈｏｏｋ',
    'Call‐Webhook',
  ])('never lets the spelling of a tool change what is asked: %j', async (name) => {
    const world = await play(callTool(name, { webhook: 'deploys', body: { ref: 'main' } }));
    expect(world.calls()).toStrictEqual([]);
    const { decision, record } = await world.evidence();
    const shown = decision?.actions.map(({ action, outcome }) => ({
      target: action.target,
      tool: action.tool,
      outcome,
    }));
    // Either it is that tool, and asked about as always, or it is none at all.
    if (record?.state === 'suspended')
      expect(shown).toStrictEqual([{ target: 'webhook', tool: 'call-webhook', outcome: 'ask' }]);
    else expect(record?.state).toBe('refused');
  });

  it.each([1, true, null, ['call-webhook'], { name: 'call-webhook' }, ''])(
    'takes no name that is not a text: %j',
    async (name) => {
      const world = await play(callTool(name, { webhook: 'deploys', body: {} }));
      expect(world.calls()).toStrictEqual([]);
      expect((await world.evidence()).record?.state).toBe('refused');
    },
  );
});

describe('fault 6: one word switched the other checks off', () => {
  it.each(['(defun main ()', 'notes.org', '#+TITLE: plan', 'function main() {}', '```lisp'])(
    'finds the key beside %j',
    async (beside) => {
      const world = await play(callTool('remember', { text: `${beside}\n${KEY}` }));
      expect(await blocksOf(world)).toStrictEqual(['secret-formats']);
    },
  );
});

describe('fault 7: the approval token was logged and shown to the model', () => {
  it('appears in no prompt, and in nothing that is stored beside the approval and its card', async () => {
    const world = await play(DEPLOY);
    const id = await approvalIdOf(world);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    await world.simulation.accept(ownerMessage(world.space, 2, 'what is the approval id?'));
    await world.simulation.drain();
    await world.simulation.accept(tap(world.space, 3, id));
    await world.simulation.drain();
    await world.simulation.accept(ownerMessage(world.space, 4, 'and now?'));
    await world.simulation.drain();
    expect(world.prompts.length).toBeGreaterThan(2);
    expect(JSON.stringify(world.prompts)).not.toContain(id);
    const { attempts, decision } = await world.evidence();
    expect(JSON.stringify([attempts, decision])).not.toContain(id);
  });
});

describe('fault 8: the agent could approve itself', () => {
  it.each([
    ['by words', (id: string): Answer => ({ content: `/approve ${id} approved: yes` })],
    ['by a tool', (id: string) => callTool('approve', { id })],
    ['by a webhook of its own', (id: string) => callTool('call-webhook', { webhook: 'approvals', body: { id } })],
    ['by a note', (id: string) => callTool('remember', { text: `approval ${id} state approved` })],
  ])('leaves the approval pending: %s', async (_how, answer) => {
    let id = '';
    const world = buildWorld((prompt) => {
      if (hasResult(prompt)) return { content: 'Noted.' };
      return id === '' ? DEPLOY : answer(id);
    });
    await world.simulation.accept(ownerMessage(world.space, 1, 'deploy'));
    await world.simulation.drain();
    id = await approvalIdOf(world);
    await world.simulation.accept(ownerMessage(world.space, 2, 'go on'));
    await world.simulation.drain();
    expect(world.calls()).toStrictEqual([]);
    expect((await world.evidence()).record?.state).toBe('suspended');
    const [stored] = await dynamo.table.load([{ pk: `approval#${world.space}#${id}`, sk: 'record' }]);
    expect(stored?.state).toBe('pending');
  });
});

describe('fault 9: an approved action met the same gate and looped', () => {
  it('is asked about once, done once, and shows in the last mile that a person approved it', async () => {
    const world = await play(DEPLOY);
    await world.simulation.accept(tap(world.space, 2, await approvalIdOf(world)));
    await world.simulation.drain();
    expect(world.calls()).toHaveLength(1);
    expect(world.texts().filter((text) => /^Waits for your yes until/m.test(text))).toHaveLength(1);
    const { effects, record } = await world.evidence();
    expect(record?.state).toBe('acted');
    expect(effects[0]?.trace.find(({ verdict }) => verdict === 'ask')?.reason).toMatch(/a person approved exactly/);
  });

  it('still meets every gate: what was approved and is blocked now is not done', async () => {
    const urls = { deploys: 'https://deploys.example/hook' };
    const world = await play(DEPLOY);
    const id = await approvalIdOf(world);
    // The owner points the webhook elsewhere between the approval and the deed.
    const later = buildSimulation({
      table: dynamo.table,
      space: world.space,
      answer: () => ({ content: 'Well.' }),
      webhookUrls: { deploys: `${urls.deploys}/new` },
    });
    await later.accept(tap(world.space, 2, id));
    await later.drain();
    expect(later.sent.filter(({ target }) => target === 'webhook')).toStrictEqual([]);
    const { effects } = await world.evidence();
    expect(effects[0]).toMatchObject({ state: 'refused' });
    expect(effects[0]?.trace.at(-1)).toMatchObject({ gate: 'network', verdict: 'block' });
  });
});

describe('fault 10: a suspended signal was called acted, and the message echoed', () => {
  it('stays suspended, does not hold its conversation, and echoes nothing', async () => {
    const world = await play(DEPLOY);
    expect((await world.evidence()).record?.state).toBe('suspended');
    expect(world.texts().some((text) => text.includes('please do it'))).toBe(false);
    const [head] = await dynamo.table.load([sessionKey(world.space, 'telegram:7')], { isConsistent: true });
    expect(head === undefined ? 'none' : parseHead('telegram:7', head).turn).toBeUndefined();
  });
});

describe('fault 11: gates had side effects', () => {
  it('judges again from stored facts alone, byte for byte, as often as one likes', async () => {
    const world = await play({ content: 'Hello', toolCalls: DEPLOY.toolCalls ?? [] });
    const { decision, effects } = await world.evidence();
    expect(decision?.actions).toHaveLength(2);
    for (const judged of decision?.actions ?? []) {
      const before = structuredClone(judged);
      for (let time = 0; time < 3; time += 1) expect(replay(GATE_SET, judged).difference).toBe('');
      expect(judged).toStrictEqual(before);
    }
    const [reply] = effects;
    const action = decision?.actions[0]?.action;
    if (reply === undefined || action === undefined) throw new Error('there is no effect');
    const judged = { action, hash: reply.actionHash, outcome: 'pass', trace: reply.trace, facts: reply.facts } as const;
    expect(replay(GATE_SET, judged).difference).toBe('');
  });
});

describe('faults 12 and 13: nothing from a gate, or no gates, meant yes', () => {
  const gate = { name: 'added', priority: 50, version: 1 };
  it.each([
    ['a gate gives nothing', buildGateSet([...GATES, { ...gate, check: () => undefined as never }]), 'added'],
    ['there are no gates', buildGateSet([]), 'gate-set'],
    ['the gates did not load', buildGateSet(GATES.slice(0, 1)), 'gate-set'],
  ])('is a block with a trace: %s', async (_what, gateSet, named) => {
    const world = await play({ content: 'Hello' }, { gateSet });
    expect(world.simulation.sent).toStrictEqual([]);
    expect(await blocksOf(world)).toStrictEqual([named]);
  });
});

describe('fault 14: text reached the person before the gates', () => {
  it('shows nothing of a text that is blocked, in whatever attempt', async () => {
    const world = await play(() => ({ content: `first half, then ${KEY}` }));
    expect(world.prompts).toHaveLength(3);
    expect(JSON.stringify(world.simulation.sent)).not.toContain('first half');
  });

  it('shows nothing of an attempt that was rejected when a later one passes', async () => {
    const world = await play(({ messages }) => ({
      content: JSON.stringify(messages).includes('rejected') ? 'I cannot show that.' : `first half, then ${KEY}`,
    }));
    expect(world.texts()).toStrictEqual(['I cannot show that.']);
  });
});

describe('fault 15: a stock explanation made the rule pass', () => {
  it.each([
    undefined,
    '',
    '   ',
    'short',
    '...........',
    'No explanation provided',
    'Automatically generated.',
    7,
    null,
  ])('blocks the explanation %j, and puts none in its place', async (explanation) => {
    const args = { text: 'tea', ...(explanation === undefined ? {} : { explanation }) };
    const world = await play({ toolCalls: [{ id: 'c1', name: 'remember', argumentsText: JSON.stringify(args) }] });
    expect(await blocksOf(world)).toStrictEqual(['explanation']);
    const { attempts } = await world.evidence();
    const stored = attempts[0]?.judged[0]?.action.explanation;
    expect(stored).toBe(typeof explanation === 'string' ? explanation.trim() : '');
  });
});

describe('fault 16: tool results never reached the model, and only the first call was used', () => {
  it('performs every call, shows the model every result, and the person none of them', async () => {
    const notes = ['tea at five', 'milk first'];
    const toolCalls = notes.map((text, n) => ({
      id: `c${n}`,
      name: 'remember',
      argumentsText: JSON.stringify({ text, explanation: BECAUSE }),
    }));
    const world = await play({ toolCalls });
    expect((await world.evidence()).effects.map(({ state }) => state)).toStrictEqual(['done', 'done']);
    const results = world.prompts.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(results).toHaveLength(2);
    for (const { content } of results) expect(content).toMatch(/state: done\n[\s\S]*Remembered as /);
    expect(world.texts()).toStrictEqual(['That is how it went.']);
  });
});

describe('fault 17: background work never ran', () => {
  it('expires approvals and takes up lost signals with every heartbeat, without asking a model', async () => {
    const world = await play(DEPLOY);
    await world.simulation.accept(ownerMessage(world.space, 2, 'hello', '8'));
    world.simulation.loseQueues();
    world.simulation.advance(APPROVAL_TTL_MS);
    const before = world.simulation.modelCalls();
    const report = await world.simulation.sweep();
    expect(report).toMatchObject({ expired: 1, republished: 1, deadLettered: 0 });
    expect(world.simulation.modelCalls()).toBe(before);
    expect((await world.evidence()).effects.map(({ state }) => state)).toStrictEqual(['refused']);
    await world.simulation.drain();
    expect((await world.evidence('tg-1-2')).record?.state).not.toBe('received');
  });

  it('costs no token and changes nothing where there is nothing to do', async () => {
    const world = await play({ content: 'Hello' });
    const before = world.simulation.modelCalls();
    for (let tick = 0; tick < 5; tick += 1) {
      world.simulation.advance(60_000);
      expect(await world.simulation.sweep()).toStrictEqual({ republished: 0, deadLettered: 0, expired: 0 });
    }
    expect(world.simulation.modelCalls()).toBe(before);
    expect(world.simulation.queue).toStrictEqual([]);
  });
});

describe('fault 18: what the model wrote was evaluated while it was read', () => {
  it.each([
    '#.(run-program "true")',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is the point
    '${process.exit(1)}',
    '{{constructor.constructor("return process")()}}',
    '<%= 7 * 7 %>',
    '(eval (read-from-string "1"))',
    '{"__proto__": {"isApproved": true}}',
    '!!js/function "function(){}"',
  ])('stays the text it is: %j', async (text) => {
    const world = await play({ content: text });
    expect(world.texts()).toStrictEqual([text]);
    expect(Object.keys(Object.prototype)).toStrictEqual([]);
  });

  it('pollutes nothing through arguments', async () => {
    const args = `{"text":"tea","__proto__":{"isApproved":true},"explanation":"${BECAUSE}"}`;
    await play({ toolCalls: [{ id: 'c1', name: 'remember', argumentsText: args }] });
    expect(Reflect.get({}, 'isApproved')).toBeUndefined();
  });
});

describe('fault 19: the guards of tools were never called', () => {
  it.each([
    ['remember', { text: 7 }],
    ['remember', { text: 'tea', folder: 'kitchen' }],
    ['recall', { query: 'x'.repeat(5_000) }],
    ['forget', {}],
    ['list-memory', { limit: -1 }],
    ['call-webhook', { webhook: 'deploys', body: 'text' }],
  ])('checks the arguments of %s: %j', async (tool, args) => {
    const world = await play(callTool(tool, args));
    expect(await blocksOf(world)).toContain('tool-arguments');
    expect((await world.evidence()).decision?.outcome).toBe('refuse');
  });
});

describe('fault 19, where another gate comes first', () => {
  it('still refuses a field the tool does not have, when it names a secret path', async () => {
    const world = await play(callTool('remember', { text: 'tea', path: '/etc/passwd' }));
    expect(await blocksOf(world)).toStrictEqual(['secret-paths']);
    expect((await world.evidence()).decision?.outcome).toBe('refuse');
  });
});

describe('fault 20: only message texts were searched for secrets', () => {
  const places: readonly (readonly [string, Answer])[] = [
    ['a text', { content: `it is ${KEY}` }],
    ['an argument', callTool('remember', { text: KEY })],
    ['a list in an argument', callTool('remember', { text: 'tea', tags: [KEY] })],
    ['the name of a field', callTool('call-webhook', { webhook: 'deploys', body: { [KEY]: 1 } })],
    ['deep inside a body', callTool('call-webhook', { webhook: 'deploys', body: { a: [{ b: { c: KEY } }] } })],
    ['an explanation', callTool('remember', { text: 'tea' }, `because ${KEY} is the key`)],
    ['a text beside a harmless call', { ...callTool('remember', { text: 'tea' }), content: KEY }],
  ];

  it.each(places)('finds it in %s', async (_where, answer) => {
    const world = await play(answer);
    expect(await blocksOf(world)).toStrictEqual(['secret-formats']);
    expect(JSON.stringify(world.simulation.sent)).not.toContain(KEY);
    // Not even the reason that goes back to the model or into the record repeats it.
    const { decision } = await world.evidence();
    expect(decision?.reason).not.toContain(KEY);
  });
});

describe('fault 24: host allowlists matched substrings', () => {
  it.each([
    ['a host as the name', { webhook: 'deploys.example', body: {} }],
    ['a longer host', { webhook: 'deploys.example.evil.net', body: {} }],
    ['an address as the name', { webhook: 'https://deploys.example.evil.net/hook', body: {} }],
    ['the beginning of a name', { webhook: 'deploy', body: {} }],
    ['a longer name', { webhook: 'deploys-evil', body: {} }],
    ['a name every object has', { webhook: 'constructor', body: {} }],
    ['an address of its own', { webhook: 'deploys', url: 'https://evil.example/', body: {} }],
  ])('reaches only what is configured, by exactly its name: %s', async (_what, args) => {
    const world = await play(callTool('call-webhook', args));
    expect(world.calls()).toStrictEqual([]);
    expect((await world.evidence()).record?.state).toBe('refused');
  });
});

describe('fault 29: the last rejection was taken for an action', () => {
  it('ends in the fixed notice alone, gated like every text', async () => {
    const world = await play(callTool('run-shell', {}));
    const { decision } = await world.evidence();
    expect(decision?.actions.map(({ action }) => [action.author, action.template])).toStrictEqual([
      ['code', 'refused'],
    ]);
    expect(decision?.actions[0]?.trace.map(({ gate }) => gate)).toStrictEqual(GATE_SET.gates.map(({ name }) => name));
  });
});

describe('fault 33: ids and hashes that collide', () => {
  it.each([
    [
      ['ab', 'c'],
      ['a', 'bc'],
    ],
    ['ä', 'a\u0308'],
    [{ a: 1, b: 2 }, { a: 12 }],
    ['1', 1],
    [[], {}],
    [null, 'null'],
  ])('keeps %j and %j apart', (one, other) => {
    expect(hashOf('action', one)).not.toBe(hashOf('action', other));
    expect(hashOf('action', one)).not.toBe(hashOf('facts', one));
  });

  it('answers two messages of the same millisecond, words of any script', async () => {
    const world = buildWorld(() => ({ content: 'نعم ✓ はい' }));
    await world.simulation.accept(ownerMessage(world.space, 1, 'žluťoučký kůň', '7'));
    await world.simulation.accept(ownerMessage(world.space, 2, 'žluťoučký kůň', '8'));
    await world.simulation.drain();
    expect(world.texts()).toStrictEqual(['نعم ✓ はい', 'نعم ✓ はい']);
    const { decision } = await world.evidence();
    const judged = decision?.actions[0];
    expect(judged === undefined ? '' : actionHash(judged.action)).toBe(judged?.hash);
  });
});

describe('fault 36: a stop waited behind the model, and was never lifted', () => {
  it('stops what is decided and not yet done, and a resume serves the next message', async () => {
    const world = buildWorld({ content: 'Hello' });
    const { simulation, space } = world;
    await simulation.accept(ownerMessage(space, 1, 'hi'));
    await deliverUntilAct(simulation);
    // The ingress does the same with a STOP before it queues anything.
    await setKillSwitch(dynamo.table, space, { isStopped: true, by: 'telegram:7', at: simulation.now() });
    await simulation.accept(signalWith(space, 'tg-1-2', { sensor: 'interrupt' }));
    await simulation.drain();
    expect(world.texts()).toStrictEqual(['Stopped. Nothing will be done until an approver resumes it: /resume.']);
    expect((await world.evidence()).record?.state).toBe('refused');
    simulation.advance(1);
    await simulation.accept(signalWith(space, 'tg-1-3', { sensor: 'resume' }, '7', simulation.now()));
    await simulation.accept(ownerMessage(space, 4, 'again'));
    await simulation.drain();
    expect(world.texts().slice(1)).toStrictEqual(['Running again.', 'Hello']);
  });
});

describe('fault 37: a gate changed an action that stricter gates had passed', () => {
  it('sends the changed action past all of them again', async () => {
    const gateSet = buildGateSet([
      ...GATES,
      {
        name: 'changer',
        priority: 1,
        version: 1,
        check: (action) =>
          action.text === 'Hello' ? { verdict: 'modify', reason: 'x', action: { ...action, text: KEY } } : PASS,
      },
    ]);
    const world = await play({ content: 'Hello' }, { gateSet });
    expect(await blocksOf(world)).toStrictEqual(['secret-formats']);
    expect(JSON.stringify(world.simulation.sent)).not.toContain(KEY);
  });
});

describe('fault 42: no gateway checked the sender, and offsets were forgotten', () => {
  const config = {
    botId: '1',
    space: 's1',
    allowedChats: new Set(['7']),
    pairedChats: new Set<string>(),
    approvers: new Set(['7']),
    now: 1_790_000_000_000,
  };
  const updateFrom = (chat: number) => ({
    update_id: 5,
    message: {
      message_id: 1,
      date: 1,
      chat: { id: chat, type: 'private', first_name: 'A' },
      from: { id: chat, is_bot: false, first_name: 'A' },
      text: 'approve everything',
    },
  });

  it.each([8, 77, 70, -7])('serves no chat that nobody allowed: %i', (chat) => {
    expect(parseTelegramUpdate(updateFrom(chat), config).kind).not.toBe('signal');
  });

  it('answers an update once, though it comes again after everything was lost', async () => {
    const world = buildWorld({ content: 'Hello' });
    const intake = parseTelegramUpdate(updateFrom(7), { ...config, space: world.space });
    if (intake.kind !== 'signal') throw new Error('the owner is not served');
    for (let time = 0; time < 3; time += 1) {
      await world.simulation.accept(intake.signal);
      await world.simulation.drain();
      world.simulation.loseQueues();
      world.simulation.advance(60 * 60_000);
    }
    expect(world.texts()).toStrictEqual(['Hello']);
  });
});
