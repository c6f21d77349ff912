/** Reads typed words, of every channel, as a stop, a command, or a message. Pure. */
import { buildResume, type Payload } from '../signal/signal.ts';

export type Typed =
  | { readonly kind: 'stop' }
  /** `name` in lower case, without its slash; `bot` is the bot it names, empty for none. */
  | { readonly kind: 'command'; readonly name: string; readonly bot: string; readonly rest: string }
  | { readonly kind: 'words' };

/** One plain word is a command, also with a colon; a path such as `/etc/hosts` is none. */
const COMMAND = /^\/([a-z][a-z0-9_-]{0,31})(?:@([a-z0-9_]{1,32}))?:?(?:\s+([\s\S]*))?$/i;
/** In English and German, whatever the chat speaks. People may add exclamation marks. */
const STOP = /^(?:stopp?|halt)[\s.!]*$/i;

export const readTyped = (text: string): Typed => {
  const typed = text.trim();
  const [, name = '', bot = '', rest = ''] = COMMAND.exec(typed) ?? [];
  if (STOP.test(typed) || STOP.test(name)) return { kind: 'stop' };
  if (name === '') return { kind: 'words' };
  return { kind: 'command', name: name.toLowerCase(), bot: bot.toLowerCase(), rest: rest.trim() };
};

/** The payload of a stop or a command; undefined for words. */
export const payloadOfTyped = (typed: Typed): Payload | undefined => {
  if (typed.kind === 'words') return undefined;
  if (typed.kind === 'stop') return { sensor: 'interrupt' };
  return typed.name === 'resume' ? buildResume(typed.rest) : { sensor: 'command', name: typed.name, rest: typed.rest };
};
