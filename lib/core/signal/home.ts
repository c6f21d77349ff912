/**
 * The destination of results that nobody asked for: the home chat, or the console's main session.
 * Pure.
 */
import { chatRoute, MAIN_CONSOLE } from '../signal/channels.ts';
import { Destination } from '../signal/destination.ts';
import type { ReplyRoute } from '../signal/signal.ts';

/** @returns undefined if nobody is told, only the record */
export const homeOf = (
  homeChat = '',
  defaultActuator: ReplyRoute['target'] = MAIN_CONSOLE.target,
): Destination | undefined => {
  const chat = Destination.safeParse(chatRoute(homeChat));
  if (chat.success) return chat.data;
  return defaultActuator === 'system' ? undefined : MAIN_CONSOLE;
};
