/**
 * Begins a turn in which the model answers words that an owner's command stands for. The turn has
 * the rights of whoever typed the command, and a repeat of the command begins the same turn.
 */
import { createHash } from 'node:crypto';
import { acceptSignal } from '../../core/ledger/accept.ts';
import { type CodeContext, commandOrigin } from '../../core/operations/code-context.ts';
import type { Signal } from '../../core/signal/signal.ts';

/** @param words written by code: they hold ids, and no word of a note */
export const askTurn = async ({ table, publishPerceive, signal }: CodeContext, words: string): Promise<void> => {
  const id = `ask-${createHash('sha256').update(signal.id).digest('hex').slice(0, 40)}`;
  const text = [{ text: words, origin: commandOrigin(signal) }];
  const turn: Signal = { ...signal, id, root: id, type: 'EVENT', payload: { sensor: 'chat-message', text } };
  await acceptSignal({ table, publish: publishPerceive }, turn);
};
