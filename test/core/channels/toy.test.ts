/** The smallest channel: letters in a pigeonhole. It shows what a new channel has to bring. */
import * as z from 'zod/mini';
import { ProtocolError } from '../../../lib/core/base/errors.ts';
import type { Parse, Sender } from '../../../lib/core/channels/channel.ts';
import { payloadOfTyped, readTyped } from '../../../lib/core/channels/read-typed.ts';
import type { Channel } from '../../../lib/core/signal/channels.ts';
import type { Payload, Signal } from '../../../lib/core/signal/signal.ts';
import { describeChannel, type FarEnd, type Shown } from './contract.ts';

const traits: Channel = {
  to: /^hole-\d+$/,
  name: 'pigeonhole',
  words: 'the pigeonhole',
  wordsInGerman: 'das Fach',
  example: 'hole-7',
  speaker: 'member',
  sendsMessages: true,
  isGroup: () => false,
};

const DECISIONS = ['approve', 'deny', 'show-similar'] as const;
const Letter = z.object({
  n: z.int(),
  from: z.enum(['owner', 'stranger']),
  words: z.optional(z.string()),
  ticked: z.optional(z.object({ card: z.string(), box: z.enum(DECISIONS) })),
});
type Letter = z.infer<typeof Letter>;

const payloadOf = ({ from, words = '', ticked }: Letter): Payload => {
  if (ticked !== undefined) return { sensor: 'approval-decision', approvalId: ticked.card, decision: ticked.box };
  const origin = from === 'owner' ? 'owner' : 'outside';
  return payloadOfTyped(readTyped(words)) ?? { sensor: 'chat-message', text: [{ text: words, origin }] };
};

const parse: Parse<{ readonly now: number }> = (update, { now: receivedAt }) => {
  const { data: letter } = Letter.safeParse(update);
  if (letter === undefined) throw new ProtocolError('this is no letter');
  const id = `letter-${letter.n}`;
  const signal: Signal = {
    ...{
      schemaVersion: 1,
      id,
      type: 'EVENT',
      source: 'console',
      space: 'default',
      session: 'hole:1',
      root: id,
      depth: 0,
    },
    receivedAt,
    sender: { id: letter.from, isApprover: letter.from === 'owner' },
    // A real channel has a row in the list, and its own name here.
    reply: { target: 'console', to: 'hole-1' },
    payload: payloadOf(letter),
  };
  return { kind: 'signal', signal };
};

const open = async (): Promise<FarEnd> => {
  const hole: Shown[] = [];
  let next: 'arrives' | 'is lost' | number = 'arrives';
  const boxesOf = (card: string | undefined) =>
    card === undefined
      ? []
      : DECISIONS.map((box) => ({ words: box, tap: () => ({ n: 9, from: 'owner', ticked: { card, box } }) }));
  const sender: Sender = {
    actuator: {
      kind: 'once',
      deliver: async ({ text = '', card, edits }) => {
        const trouble = next;
        next = 'arrives';
        if (typeof trouble === 'number') return { state: 'retry', reason: 'the hole is full', afterMs: trouble * 1000 };
        const id = edits?.message ?? hole.length + 1;
        hole[id - 1] = { id, text, buttons: boxesOf(card) };
        return trouble === 'is lost'
          ? { state: 'unknown', reason: 'nobody saw it' }
          : { state: 'done', output: JSON.stringify({ messageIds: [id] }), origin: 'agent' };
      },
    },
    sendDraft: async () => undefined,
    sendTyping: async () => undefined,
  };
  return {
    sender,
    target: 'console',
    to: 'hole-1',
    shown: () => hole,
    loseNextAnswer: () => {
      next = 'is lost';
    },
    refuseNext: (seconds) => {
      next = seconds;
    },
    close: async () => undefined,
  };
};

describeChannel({
  target: 'console',
  traits,
  parse: (update) => parse(update, { now: 1_790_000_000_000 }),
  said: (words, from, n = 1) => ({ n, from, words }),
  open,
});
