/**
 * A person at a whole stack: writes to the agent in the console or types commands in a terminal,
 * and decides the cards. The model does what the words say: each line `call <tool> <arguments>` is
 * one call, in turn; then it says what the last one gave.
 */
import type { SignalView } from '../../../lib/core/verbs/signals/view.ts';
import { openCli, type TestCli } from '../../support/cli.ts';
import { call, type Script, say, toolResultsOf, userTextOf } from '../../support/model-server.ts';
import { startTestStack, type TestStack, type TestStackOptions, until } from '../../support/stack.ts';

/** An approver, in a private chat. */
export const OWNER = 7001;

export interface Card {
  readonly id: string;
  readonly signalId: string;
  readonly sentence: string;
  readonly rest: readonly string[];
  readonly stage: string;
  readonly destroys: boolean;
}

export interface Person {
  readonly world: TestStack;
  readonly cli: TestCli;
  /** Types a command; gives all it printed. @throws unless its exit code is the one given */
  readonly types: (words: readonly string[], code?: number) => Promise<string>;
  /** Writes in a conversation of the console, and waits for the end of the turn. */
  readonly writes: (text: string, session?: string) => Promise<Turn>;
  /** Cards that wait. */
  readonly waiting: () => Promise<readonly Card[]>;
  /** Decides the one card that waits; gives what the conversation was told of it afterwards. */
  readonly decides: (decision: 'approve' | 'deny') => Promise<Turn>;
  readonly close: () => Promise<void>;
}

export interface Turn {
  readonly id: string;
  /** Every text that its conversation got, in order. */
  readonly said: string;
  readonly turn: SignalView['turn'];
}

export const obedient: Script = (request) => {
  const words = userTextOf(request);
  const results = toolResultsOf(request);
  const [, tool = '', args = '{}'] = [...words.matchAll(/^call (\S+) (\{.*\})$/gm)][results.length] ?? [];
  if (tool !== '') return call(tool, { explanation: 'the owner asked for exactly this', ...JSON.parse(args) });
  return say(results.length > 0 ? `It gave: ${results.at(-1)}` : `You said: ${words}`);
};

/** A line that lets the model call a tool. */
export const callOf = (tool: string, args: object): string => `call ${tool} ${JSON.stringify(args)}`;

export const openPerson = async (options: TestStackOptions = {}): Promise<Person> => {
  const world = await startTestStack({ script: obedient, isPolling: false, ...options });
  const cli = openCli(world.stack.url);
  const types: Person['types'] = async (words, code = 0) => {
    const ran = await cli.run(...words);
    if (ran.code !== code) throw new Error(`"${words.join(' ')}" ended with ${ran.code}:\n${ran.out}${ran.err}`);
    return ran.out + ran.err;
  };
  const told = async (id: string): Promise<Turn> => {
    const { turn, replies } = await world.settled(id);
    return { id, said: replies.join('\n'), turn };
  };
  const writes: Person['writes'] = async (text, session = 'main') => {
    const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text, session });
    return told(body.id);
  };
  const waiting = async () => (await world.api<{ approvals: Card[] }>('GET', '/api/approvals')).body.approvals;
  return {
    world,
    cli,
    types,
    writes,
    waiting,
    decides: async (decision) => {
      const [card, ...others] = await waiting();
      if (card === undefined || others.length > 0) throw new Error(`${others.length + 1} cards wait, not one`);
      const { status, body } = await world.api<{ id: string }>('POST', `/api/approvals/${card.id}`, { decision });
      if (status !== 202) throw new Error(JSON.stringify(body));
      await world.settled(body.id);
      await until('its turn goes on', async () => (await world.signal(card.signalId)).turn !== 'waiting');
      return told(card.signalId);
    },
    close: async () => {
      await world.stop();
      cli.remove();
    },
  };
};
