/** Says a text in a voice note, once: the same words stand in the chat already. */
import { PassepartoutError } from '../../core/base/errors.ts';
import type { SayAloud } from '../../core/channels/channel.ts';
import type { ActuatorResult } from '../../core/signal/actuator.ts';
import { formatMessage } from '../chats/format.ts';
import type { TelegramClient, TelegramOutcome } from './client.ts';

const resultOf = (outcome: TelegramOutcome, costUsd: number): ActuatorResult => {
  switch (outcome.kind) {
    case 'done':
      return { state: 'done', output: 'sent', origin: 'agent', costUsd };
    case 'unknown':
      return { state: 'unknown', reason: outcome.reason };
    case 'unreached':
      return { state: 'failed', reason: outcome.reason, costUsd };
    case 'refused':
      return { state: 'failed', reason: `Telegram refused it (${outcome.code}): ${outcome.description}`, costUsd };
  }
};

/** @param place the parameters that name the chat and its topic */
export const sendVoice = async (
  client: TelegramClient,
  place: Readonly<Record<string, unknown>>,
  words: string,
  sayAloud: SayAloud,
): Promise<ActuatorResult> => {
  let costUsd = 0;
  const noteCost = (usd: number) => {
    costUsd = usd;
  };
  try {
    // Marks are not read aloud; a table that is drawn is not paid for.
    const text = formatMessage(words, { hasMarkup: true }).text.slice(0, words.length);
    const content = await sayAloud(text, noteCost);
    const file = { field: 'voice', name: 'answer.ogg', type: 'audio/ogg', content };
    return resultOf(await client.call('sendVoice', place, { file }), costUsd);
  } catch (error) {
    if (!(error instanceof PassepartoutError)) throw error;
    return { state: 'failed', reason: error.message, costUsd };
  }
};
