/**
 * What a person types to the program rather than to the model: slash commands, as Telegram writes them (`/why@our_bot x`),
 * and STOP. A path such as `/etc/hosts` is no command, because a command is one plain word. Pure.
 */

export interface TelegramCommand {
  /** Lower-case, without the slash. */
  readonly name: string;
  /** The bot it names, lower-case; empty for none. */
  readonly bot: string;
  readonly rest: string;
}

const COMMAND = /^\/([a-z][a-z0-9_-]{0,31})(?:@([a-z0-9_]{1,32}))?(?:\s+([\s\S]*))?$/i;
/** Someone who means it may add an exclamation mark. */
const STOP = /^stop[\s.!]*$/i;

/** @param text trimmed. */
export const parseCommand = (text: string): TelegramCommand | undefined => {
  const match = COMMAND.exec(text);
  if (match?.[1] === undefined) return undefined;
  return { name: match[1].toLowerCase(), bot: (match[2] ?? '').toLowerCase(), rest: (match[3] ?? '').trim() };
};

/** @param text trimmed. */
export const isStop = (text: string): boolean => STOP.test(text);
