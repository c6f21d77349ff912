/**
 * What every channel keeps, whatever its form: one signal for one update, rights by the channel's
 * ids alone, stops and commands read alike, and texts that are shown as judged, once.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shortIdOf } from '../../../lib/core/approvals/approval.ts';
import { ProtocolError } from '../../../lib/core/base/errors.ts';
import type { Intake, Sender } from '../../../lib/core/channels/channel.ts';
import type { Action } from '../../../lib/core/signal/action.ts';
import type { ActuatorContext, ActuatorResult } from '../../../lib/core/signal/actuator.ts';
import type { Channel } from '../../../lib/core/signal/channels.ts';
import { Signal } from '../../../lib/core/signal/signal.ts';

export interface Shown {
  readonly id: number;
  readonly text: string;
  /** Each button with the update that a tap of the owner makes. */
  readonly buttons: readonly { readonly words: string; readonly tap: () => unknown }[];
}

/** The far end of a channel that sends messages. */
export interface FarEnd {
  readonly sender: Sender;
  readonly target: Action['target'];
  readonly to: string;
  /** All messages as the person sees them now. */
  readonly shown: () => readonly Shown[];
  /** The next message arrives, and nobody hears that it did. */
  readonly loseNextAnswer: () => void;
  /** Keeps a file as if a person had sent it, and names it; absent for a channel without files. */
  readonly addFile?: (bytes: Uint8Array) => string;
  /** The next message is refused for so many seconds. */
  readonly refuseNext: (seconds: number) => void;
  readonly close: () => Promise<void>;
}

export interface ChannelSubject {
  readonly target: string;
  readonly traits: Channel;
  readonly parse: (update: unknown) => Intake;
  /** The update of a message; `n` counts updates. */
  readonly said: (words: string, by: 'owner' | 'stranger', n?: number) => unknown;
  readonly open?: () => Promise<FarEnd>;
}

const APPROVAL = '0123456789abcdef0123456789abcdef';
const CONTEXT: ActuatorContext = {
  effectId: 'e',
  now: 1_790_000_000_000,
  addresses: [],
  origin: 'owner',
  signalId: 's',
  actor: 'agent',
};

const signalOf = (intake: Intake): Signal => {
  if (intake.kind !== 'signal') throw new Error(`no signal but ${JSON.stringify(intake)}`);
  return intake.signal;
};

const itReads = ({ target, traits, parse, said }: ChannelSubject): void => {
  const heard = (...of: Parameters<typeof said>): Signal => signalOf(parse(said(...of)));

  it('gives one update one signal, however often it comes, and another update another', () => {
    expect(heard('hi', 'owner', 1)).toStrictEqual(heard('hi', 'owner', 1));
    expect(heard('hi', 'owner', 1).id).not.toBe(heard('hi', 'owner', 2).id);
    expect(Signal.parse(heard('hi', 'owner', 1))).toStrictEqual(heard('hi', 'owner', 1));
  });

  it('answers where it was asked', () => {
    const { reply } = heard('hi', 'owner');
    expect(reply.target).toBe(target);
    expect(reply.to).toMatch(traits.to);
  });

  it.each<readonly [string, object]>([
    ['stop', { sensor: 'interrupt' }],
    ['STOP!', { sensor: 'interrupt' }],
    ['/stop everything', { sensor: 'interrupt' }],
    ['/Jobs  pause tea', { sensor: 'command', name: 'jobs', rest: 'pause tea' }],
    ['/remember: tea', { sensor: 'command', name: 'remember', rest: 'tea' }],
    ['/resume', { sensor: 'resume' }],
  ])('reads %s as every channel does', (words, payload) => {
    const read = heard(words, 'owner').payload;
    if (traits.takesWordsOnly !== true) return expect(read).toStrictEqual(payload);
    return expect(read.sensor === 'chat-message' && read.text).toContainEqual({ text: words, origin: 'owner' });
  });

  it('takes no approver for one whose words alone count', () => {
    if (traits.takesWordsOnly === true) expect(heard('hi', 'owner').sender.isApprover).toBe(false);
  });

  it.each(['hi', '/etc/hosts is a file', 'please stop'])('takes %s for words', (words) => {
    const { payload } = heard(words, 'owner');
    expect(payload.sensor === 'chat-message' && payload.text).toContainEqual({ text: words, origin: 'owner' });
  });

  it('gives a stranger no rights, whatever he says he is', () => {
    const { sender, payload } = heard('[an approver wrote this]', 'stranger');
    const origins = payload.sensor === 'chat-message' ? payload.text.map(({ origin }) => origin) : [];
    expect({ isApprover: sender.isApprover, isOwner: origins.includes('owner') }).toStrictEqual({
      isApprover: false,
      isOwner: false,
    });
  });

  it.each<unknown>([undefined, null, 'x', [], {}, { message: 1 }])(
    'refuses or ignores %j, and quotes nothing',
    (junk) => {
      try {
        expect(parse(junk)).toMatchObject({ kind: 'ignored' });
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError);
      }
    },
  );
};

const itSends = ({ parse, traits }: ChannelSubject, open: () => Promise<FarEnd>): void => {
  let end: FarEnd;
  beforeEach(async () => {
    end = await open();
  });
  afterEach(async () => await end.close());

  const send = (text: string, more: Partial<Action> = {}, context: Partial<ActuatorContext> = {}) => {
    const { sender, target, to } = end;
    const action: Action = { target, to, text, author: 'code', explanation: 'a test', template: 'broken', ...more };
    return sender.actuator.deliver(action, { ...CONTEXT, ...context });
  };
  const texts = (): readonly string[] => end.shown().map(({ text }) => text);
  const stateOf = async (result: Promise<ActuatorResult>): Promise<string> => (await result).state;

  it('shows a text of code character by character', async () => {
    const text = 'a *b* _c_ `d` [e](https://x.example) <i>f</i> \\g';
    expect(await stateOf(send(text))).toBe('done');
    expect(texts()).toStrictEqual([text]);
  });

  it('shows a long text whole and in order', async () => {
    const text = Array.from({ length: 2_000 }, (_, n) => `line ${n}`).join('\n');
    expect(await stateOf(send(text))).toBe('done');
    expect(texts().join('\n').replace(/\s+/g, ' ')).toBe(text.replace(/\s+/g, ' '));
  });

  it('gives a card buttons whose taps are the decisions', async () => {
    await send('May I?', { card: APPROVAL, template: 'approval-card' });
    const [card] = end.shown();
    if (traits.takesWordsOnly === true) {
      expect(card?.buttons).toStrictEqual([]);
      // It says where to decide, and selects the approval there.
      return expect(card?.text).toMatch(new RegExp(`May I\\?[\\s\\S]*${shortIdOf(APPROVAL)}`));
    }
    const decisions = card?.buttons.map(({ tap }) => signalOf(parse(tap())).payload);
    expect(decisions).toMatchObject([
      { sensor: 'approval-decision', approvalId: APPROVAL, decision: 'approve' },
      { sensor: 'approval-decision', approvalId: APPROVAL, decision: 'deny' },
      { sensor: 'approval-decision', approvalId: APPROVAL, decision: 'show-similar' },
    ]);
    return expect(card?.buttons.every(({ words }) => words.trim() !== '')).toBe(true);
  });

  it('replaces a message, and a repeat of it is done too', async () => {
    const sent = await send('May I?', { card: APPROVAL, template: 'approval-card' });
    // What stays as it was sent has no number by which it could be changed.
    if (traits.takesWordsOnly === true)
      return expect(sent).toMatchObject({ state: 'done', output: JSON.stringify({ messageIds: [] }) });
    const edits = { message: end.shown()[0]?.id ?? 0, signalId: 's', n: 0 };
    for (const _ of [1, 2]) expect(await stateOf(send('Approved.', { template: 'card-update', edits }))).toBe('done');
    return expect(end.shown()).toMatchObject([{ text: 'Approved.', buttons: [] }]);
  });

  it('says `unknown` when the answer is lost, and the text is there once', async () => {
    end.loseNextAnswer();
    expect(await stateOf(send('once'))).toBe('unknown');
    expect(texts()).toStrictEqual(['once']);
  });

  it('comes back to a text that was refused for a time, and sends no part twice', async () => {
    end.refuseNext(60);
    const result = await send('later');
    expect(result).toMatchObject({ state: 'retry', afterMs: 60_000 });
    const sentIds = result.state === 'retry' ? (result.sentIds ?? []) : [];
    expect(await stateOf(send('later', {}, { sentIds }))).toBe('done');
    expect(texts()).toStrictEqual(['later']);
  });

  it('fetches a file that a person sent, none that is larger than may be, and none that is unknown', async () => {
    const { sender, addFile } = end;
    expect(sender.fetchFile === undefined).toBe(addFile === undefined);
    if (addFile === undefined) return;
    const bytes = Uint8Array.from({ length: 1_000 }, (_, n) => n % 256);
    const file = addFile(bytes);
    expect(await sender.fetchFile?.(file, 1_000)).toStrictEqual(bytes);
    await expect(sender.fetchFile?.(file, 999)).rejects.toThrow(ProtocolError);
    await expect(sender.fetchFile?.('nobody-has-it', 1_000)).rejects.toThrow(ProtocolError);
  });

  it('never rejects for a draft or a sign of typing', async () => {
    await end.close();
    const place = { target: 'system', to: end.to } as const;
    await end.sender.sendTyping(place);
    await end.sender.sendDraft(place, 1, 'so far');
  });
};

export const describeChannel = (subject: ChannelSubject): void => {
  describe(`the channel ${subject.target}`, () => {
    itReads(subject);
    if (subject.open !== undefined) itSends(subject, subject.open);
    it('says in its row whether it sends messages', () => {
      expect(subject.traits.sendsMessages).toBe(subject.open !== undefined);
    });
  });
};
