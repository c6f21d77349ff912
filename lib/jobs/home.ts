/**
 * Where results go that nobody asked for: the home chat, or else the console's main session. Pure.
 */
import { Destination } from './job.ts';

/** @returns undefined if nobody is told, only the record */
export const homeOf = (homeChat = '', defaultActuator: 'console' | 'system' = 'console'): Destination | undefined => {
  const chat = Destination.safeParse({ target: 'telegram', to: homeChat });
  if (chat.success) return chat.data;
  return defaultActuator === 'system' ? undefined : { target: 'console', to: 'main' };
};
