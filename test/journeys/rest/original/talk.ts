/** Talking to a stack at its console, as the owner: the one way in that these journeys share. */
import type { SignalView } from '../../../../lib/core/verbs/signals/view.ts';
import {
  type ModelServerRequest,
  type ScriptedAnswer,
  type ScriptedCall,
  userTextOf,
} from '../../../support/model-server.ts';
import type { TestStack } from '../../../support/stack.ts';

/** An explanation that every gate takes. */
export const because = { explanation: 'because the owner asked for exactly this' };

export interface Talk {
  /** Posts a message, and gives its id. */
  readonly post: (text: string, session?: string) => Promise<string>;
  /** Posts a message, and waits until all that it caused has ended or waits for a person. */
  readonly ask: (text: string, session?: string) => Promise<SignalView>;
  /** The same, and gives the answer's words alone. */
  readonly answer: (text: string, session?: string) => Promise<string>;
  /** Says yes or no to what a turn asks for. */
  readonly decide: (id: string, decision: 'approve' | 'deny') => Promise<SignalView>;
  /** The last request to the model whose newest words are these. */
  readonly requestFor: (text: string) => ModelServerRequest;
  /** All messages of that request, as one text. */
  readonly promptFor: (text: string) => string;
}

export const talkTo = (world: TestStack): Talk => {
  const post: Talk['post'] = async (text, session = 'main') =>
    (await world.api<{ id: string }>('POST', '/api/messages', { text, session })).body.id;
  const ask: Talk['ask'] = async (text, session) => world.settled(await post(text, session));
  const requestFor: Talk['requestFor'] = (text) => {
    const found = world.model.requests.findLast((request) => userTextOf(request) === text);
    if (found === undefined) throw new Error(`the model was not asked: ${text}`);
    return found;
  };
  return {
    post,
    ask,
    answer: async (text, session) => (await ask(text, session)).replies.join('\n'),
    decide: async (id, decision) => {
      const { body } = await world.api<{ approvals: { id: string; signalId: string }[] }>('GET', '/api/approvals');
      const card = body.approvals.find(({ signalId }) => signalId === id);
      await world.api('POST', `/api/approvals/${card?.id}`, { decision });
      return world.settled(id);
    },
    requestFor,
    promptFor: (text) =>
      requestFor(text)
        .messages.map(({ content }) => content ?? '')
        .join('\n'),
  };
};

/** An answer of these calls. */
export const calls = (...all: readonly ScriptedCall[]): ScriptedAnswer => ({ kind: 'answer', calls: all });
