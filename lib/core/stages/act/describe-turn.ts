/**
 * The part of a turn that later turns see, from a decision and its effects. Notices are left out:
 * cards and refusals never enter history (I5). Act stores it; a restore computes it again. Pure.
 */
import type { TurnReply, TurnToolCall } from '../../ledger/record.ts';
import { type Action, isText } from '../../signal/action.ts';
import { heardWords, isRecording, READ_ATTACHMENT } from '../../signal/attachment.ts';
import type { Effect, JudgedAction } from '../../signal/decision.ts';
import { storedIn } from '../../signal/picture.ts';
import { joinOrigins, type Origin } from '../../signal/signal.ts';
import { sendMessage } from '../../tools/send-message.ts';

/** A text to somebody else is a call. */
const isReply = (action: Action, facts: JudgedAction['facts']): boolean =>
  isText(action) && facts.at(-1)?.isPlainReply !== false;

/** Later turns know what was heard, and may send a picture or document on by its name. */
const laterWords = (output: string, origin: Origin, { args }: Action): readonly TurnReply[] => {
  if (isRecording(args?.kind)) return [{ text: heardWords(output), origin }];
  const words = storedIn(output)?.words;
  return words === undefined ? [] : [{ text: words, origin: 'agent' }];
};

export const describeTurn = (
  actions: readonly JudgedAction[],
  effects: readonly Effect[],
): { readonly replies: readonly TurnReply[]; readonly toolCalls: readonly TurnToolCall[] } => {
  const acted = effects.flatMap(({ n, state }) => {
    const judged = actions[n];
    return judged?.action.author === 'model' ? [{ ...judged, state }] : [];
  });
  const heard = effects.flatMap(({ n, state, output = '', outputOrigin: origin = 'outside' }) =>
    state === 'done' && actions[n]?.action.tool === READ_ATTACHMENT
      ? laterWords(output, origin, actions[n].action)
      : [],
  );
  const said = acted
    .filter(({ action, facts, state }) => isReply(action, facts) && state === 'done')
    .map(({ action, facts }) => ({
      text: action.text ?? '',
      origin: joinOrigins(['agent', ...facts.map(({ origin }) => origin)]),
    }));
  const toolCalls = acted
    .filter(({ action, facts }) => !isReply(action, facts))
    .map(({ action, state }) => ({ tool: isText(action) ? sendMessage.name : (action.tool ?? ''), state }));
  return { replies: [...heard, ...said], toolCalls };
};
