/**
 * The models of a running stack: which one is asked, who answers if it fails, what becomes of odd
 * answers, how an answer is shown while it is written, and what all of it costs.
 */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openCli } from '../../../support/cli.ts';
import { passDayEnd } from '../../../support/day-end.ts';
import { followStream, type StreamEvent, shownAnswers } from '../../../support/follow-stream.ts';
import {
  type ModelServer,
  type ModelServerRequest,
  type ScriptedAnswer,
  say,
  startModelServer,
  toolResultsOf,
} from '../../../support/model-server.ts';
import { startTestStack } from '../../../support/stack.ts';
import { startTarget } from '../../../support/target.ts';
import { because, calls, talkTo } from './talk.ts';

type Name = 'one' | 'two' | 'local' | 'late';
/** First answers; a result is read out. Without one a model says its name. */
const says = new Map<Name, ScriptedAnswer>();
const answerOf =
  (name: Name) =>
  (request: ModelServerRequest): ScriptedAnswer => {
    const results = toolResultsOf(request);
    return results.length > 0 ? say(`I read: ${results.join()}`) : (says.get(name) ?? say(`${name} answers`));
  };
/** The model is never further ahead of its reader than this. */
const AHEAD_CHARS = 180;

await passDayEnd();
const target = await startTarget();
const start = (name: Name): Promise<ModelServer> => startModelServer(answerOf(name));
const servers = {
  one: await start('one'),
  two: await start('two'),
  local: await start('local'),
  late: await start('late'),
};
const row = (name: Name) => ({
  baseUrl: servers[name].baseUrl,
  model: `small-${name}`,
  reasoningModel: `large-${name}`,
  prices: { prompt: 1, completion: 2 },
});
const world = await startTestStack({
  isPolling: false,
  model: servers.one,
  environment: {
    OPENAI_BASE_URL: undefined,
    PROVIDERS: JSON.stringify({ one: row('one'), two: row('two') }),
    PROVIDER_KEYS: '{"one": "key-of-one-123", "two": "key-of-two-123"}',
    PROVIDER_CASCADE: 'one,two,ollama',
    PROVIDER_NAMES: 'one,two,ollama',
    OLLAMA_BASE_URL: servers.local.baseUrl,
    OLLAMA_MODEL: 'qwen3',
    MODEL_RULES: '[{"words":["tax"],"skip":["one"]}]',
    ...target.environmentOf('deploys'),
  },
});
const cli = openCli(world.stack.url);
afterAll(async () => {
  await world.stop();
  for (const server of Object.values(servers)) await server.close();
  target.close();
  cli.remove();
});
beforeEach(() => says.clear());
const talk = talkTo(world);
const asked = () => Object.entries(servers).map(([name, { requests }]) => [name, requests.length] as const);
/** Models that were asked meanwhile, in the order of the servers. */
const askedBy = async (work: () => Promise<unknown>) => {
  const before = new Map(asked());
  await work();
  return asked().flatMap(([name, count]) => {
    const from = before.get(name) ?? 0;
    return servers[name as Name].requests.slice(from, count).map(({ model }) => model);
  });
};

describe('Provider registry', () => {
  it('takes another provider while it runs', async () => {
    expect(await talk.answer(`/config set PROVIDERS ${JSON.stringify({ late: row('late') })}`)).toContain(
      'PROVIDERS is',
    );
    await talk.answer('/config set PROVIDER_CASCADE late,one');
    expect(await askedBy(() => talk.ask('who are you?'))).toStrictEqual(['small-late']);
    for (const name of ['PROVIDER_CASCADE', 'PROVIDERS']) await talk.answer(`/config reset ${name}`);
    expect(await askedBy(() => talk.ask('who are you?'))).toStrictEqual(['small-one']);
  });
});

describe('Model routing', () => {
  it('asks the small model, and the large one if the question is hard, and says why', async () => {
    expect(await askedBy(() => talk.ask('hello', 'plain'))).toStrictEqual(['small-one']);
    const asks = await askedBy(async () => {
      const { decision } = await talk.ask('Compare tea and coffee.', 'hard');
      expect(decision?.attempts[0]).toMatchObject({
        tier: 'reasoning',
        tierBecause: 'the question asks to think it through',
      });
    });
    expect(asks).toStrictEqual(['large-one']);
  });

  it('leaves a provider out by a rule of the owner’s own', async () => {
    expect(await askedBy(() => talk.ask('my tax is due', 'rules'))).toStrictEqual(['small-two']);
  });
});

describe('Local models', () => {
  it('answer where an Ollama is', async () => {
    await talk.answer('/model ollama/qwen3', 'home');
    const asks = await askedBy(async () => expect(await talk.answer('hello', 'home')).toBe('local answers'));
    expect(asks).toStrictEqual(['qwen3']);
    expect(servers.local.requests.at(-1)?.headers.authorization ?? '').not.toContain('key-of');
  });
});

describe('Consensus', () => {
  const deploy = (ref: string) =>
    calls({ tool: 'call-webhook', args: { webhook: 'deploys', body: { ref }, ...because } });

  it('of several models is asked for before something of high impact, if it is switched on', async () => {
    const text = '@id("free") permit(principal, action == Action::"call-webhook", resource);';
    await world.api('POST', '/api/policy', { text });
    says.set('one', deploy('main'));
    says.set('two', deploy('stable'));
    expect((await talk.ask('deploy', 'alone')).decision?.consensus).toBeUndefined();
    expect(target.posts).toHaveLength(1);
    await talk.answer('/config set CONSENSUS_PROVIDERS 2');
    const view = await talk.ask('deploy it', 'both');
    expect(view.decision?.consensus?.votes.map(({ provider }) => provider)).toStrictEqual(['one', 'two']);
    expect(view.state).toBe('suspended');
    expect(target.posts).toHaveLength(1);
    says.set('two', deploy('main'));
    expect((await talk.ask('deploy it now', 'agreed')).decision?.consensus?.outcome).toBe('agreed');
    expect(target.posts).toHaveLength(2);
    await talk.answer('/config reset CONSENSUS_PROVIDERS');
  });
});

describe('Clean-up of answers', () => {
  const call = { Tool: 'Calculate', Args: { Expression: '6 * 7' }, Explanation: because.explanation };

  it.each([
    ['in a fence', `\`\`\`json\n${JSON.stringify({ text: 'On it.', calls: [call] })}\n\`\`\``],
    ['with words around', `Here you are:\n${JSON.stringify({ CALLS: [call] })}`],
  ])('reads a call written as JSON: %s', async (_how, text) => {
    says.set('one', say(text));
    const { decision, replies } = await talk.ask('what is it?', 'written');
    expect(decision?.attempts).toHaveLength(1);
    expect(decision?.actions.at(-1)?.action).toMatchObject({ tool: 'calculate', args: { expression: '6 * 7' } });
    expect(replies.join()).toContain('state: done\n42');
    expect(replies.join()).not.toMatch(/[{}]|```/);
  });

  it('takes anything else as words, and evaluates nothing of it', async () => {
    const words = '(defun f () 1) #.(quit) `process.exit()` {"a": 1}';
    says.set('one', say(words));
    const view = await talk.ask('say it', 'words');
    expect([view.state, view.replies]).toStrictEqual(['acted', [words]]);
    expect(view.decision?.actions).toHaveLength(1);
  });

  it('makes every tool call of an answer an action, with its arguments, and its words beside', async () => {
    const calculate = (expression: string) => ({ tool: 'calculate', args: { expression, ...because } });
    says.set('one', { kind: 'answer', text: 'Both.', calls: [calculate('1 + 1'), calculate('2 + 2')] });
    const { decision, effects } = await talk.ask('both', 'tools');
    expect(decision?.actions.map(({ action }) => action.text ?? action.args)).toStrictEqual([
      'Both.',
      { expression: '1 + 1' },
      { expression: '2 + 2' },
    ]);
    expect(effects.slice(1).map(({ output }) => output)).toStrictEqual(['2', '4']);
  });

  it('sends back what cannot be read, in place of performing or showing it', async () => {
    says.set('one', { kind: 'answer', calls: [{ tool: 'calculate', args: '{ broken' }] });
    const { state, decision, replies } = await talk.ask('broken', 'broken');
    const problem = 'the argument object of call 1 (calculate) is not valid JSON';
    expect([state, decision?.attempts.map((one) => one.problem)]).toStrictEqual(['refused', Array(3).fill(problem)]);
    expect(replies.join()).not.toContain('broken');
  });
});

describe('Streaming', () => {
  it('shows an answer to a client while it is written, and the same text at its end', async () => {
    const text = 'The bike is blue and stands in the shed behind the house. '.repeat(12).trim();
    const events: StreamEvent[] = [];
    const shown = () => shownAnswers(events).join('');
    says.set('one', { kind: 'answer', text, pieceMs: 10, isRead: (chars) => chars - AHEAD_CHARS <= shown().length });
    await followStream(world, await talk.post('tell me', 'stream'), events);
    expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(1);
    expect(text.startsWith(shown())).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: 'end', replies: [text] });
  });
});

describe('Cost of calls', () => {
  it('is booked for each call, and shown', async () => {
    await talk.ask('how much?', 'costs');
    // Ten tokens of a prompt at $1 a million, and five of an answer at $2.
    expect(await talk.answer('/cost session', 'costs')).toContain(
      'one/small-one: 1 call, 15 tokens (0 % of the prompts from its cache), $0.00002',
    );
  });

  it('ends at the cap of a conversation, with an error that names it', async () => {
    await talk.answer('/config set BUDGET_SESSION_USD 0.00001');
    const asks = await askedBy(async () => {
      const view = await talk.ask('more?', 'costs');
      expect(view.state).toBe('refused');
      expect(view.decision?.reason).toMatch(/^over the budget: .* is left for this conversation today/);
      expect(view.replies.join()).toContain('/config set BUDGET_SESSION_USD <usd> raises it');
    });
    expect(asks).toStrictEqual([]);
    await talk.answer('/config reset BUDGET_SESSION_USD');
    expect(await talk.answer('more?', 'costs')).toBe('one answers');
  });
});

describe('Model explorer', () => {
  it('lists the models of every provider, with their windows and prices, and whether they answer', async () => {
    const { code, out } = await cli.run('models');
    expect(code).toBe(0);
    for (const name of ['one', 'two', 'ollama']) expect(out).toMatch(new RegExp(`ok +${name} `));
    expect(out).toMatch(/small-one .*tokens +\$1 in/);
  });
});

describe('Cascade', () => {
  it('is passed over for one conversation by a choice of its own', async () => {
    await talk.answer('/model two/large-two', 'chosen');
    expect(await askedBy(() => talk.ask('hello', 'chosen'))).toStrictEqual(['large-two']);
    expect(await askedBy(() => talk.ask('hello', 'other'))).toStrictEqual(['small-one']);
  });

  it('asks providers in their order, the next one after a failure, and leaves the failed one in peace', async () => {
    expect(await askedBy(() => talk.ask('hello'))).toStrictEqual(['small-one']);
    says.set('one', { kind: 'status', status: 503 });
    const asks = await askedBy(async () => {
      const view = await talk.ask('hello again');
      expect(view.replies).toStrictEqual(['two answers']);
      expect(view.decision?.attempts[0]?.failures).toStrictEqual(['one (small-one): failed on its side (503)']);
    });
    expect(asks).toStrictEqual(['small-one', 'small-two']);
    says.clear();
    expect(await askedBy(() => talk.ask('and again'))).toStrictEqual(['small-two']);
  });

  it('says that nobody could answer when all failed, and goes on', async () => {
    for (const name of ['one', 'two', 'local'] as const) says.set(name, { kind: 'status', status: 400 });
    const view = await talk.ask('anybody?', 'down');
    expect(view.state).toBe('refused');
    expect(view.replies.join()).toMatch(/^No language model could answer/);
    says.clear();
    expect((await talk.ask('and now?', 'down')).state).toBe('acted');
  });
});
