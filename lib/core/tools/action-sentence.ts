/**
 * The sentence that names an action to a person, in a chat, on the page and in a terminal alike:
 * what happens after a yes. Code makes it of the action's own fields, on one line with nothing
 * hidden in it; no text can close its quotes. Pure.
 */

import { showPlainly } from '../approvals/show-plainly.ts';
import type { JsonObject } from '../base/json.ts';
import { findChannel } from '../signal/channels.ts';
import { isMcpTool } from '../signal/mcp-name.ts';
import { fileIn, fileWords } from '../text/file-text.ts';
import { fieldsWords, named, quoted } from '../text/quoted.ts';
import { findTool } from './catalogue.ts';

/** An action, or as much as a console shows of one. */
export interface NamedAction {
  readonly target: string;
  readonly tool?: string | undefined;
  readonly to?: string | undefined;
  readonly text?: string | undefined;
  readonly args?: JsonObject | undefined;
}

const callWords = (tool: string, args: JsonObject): string => {
  if (isMcpTool(tool)) {
    const [, server = '', ...words] = tool.split('-');
    return `Use the tool ${words.join('-')} of the server ${server}${fieldsWords(args)}`;
  }
  return findTool(tool)?.sentence(args, callWords) ?? `Use ${named(tool)}${fieldsWords(args)}`;
};

const textWords = (text: string | undefined, to: string): string => {
  const file = fileIn(text);
  if (file !== undefined) return `Send the file ${fileWords(file)} to ${to}`;
  return `Send this text to ${to}${text === undefined ? '' : `: ${quoted(text)}`}`;
};

const placeWords = (target: string): string =>
  findChannel(target)?.words ?? (target === 'system' ? 'the log' : named(target));

export const actionSentence = ({ target, tool, to, text, args = {} }: NamedAction): string =>
  showPlainly(
    tool === undefined
      ? textWords(text, [placeWords(target), ...(to === undefined ? [] : [named(to)])].join(' '))
      : callWords(
          tool,
          target === 'webhook' && !isMcpTool(tool) ? { ...(to === undefined ? {} : { webhook: to }), ...args } : args,
        ),
  );
