/** The command `/chats`. Each form is one call of a tool, which Act performs. */
import { commandNotices } from '../../../judge/command-notices.ts';
import { ChatId } from '../../../ledger/paired-chats.ts';
import { type Command, say } from '../../../operations/code-context.ts';

export const chats: Command = (_, rest) => {
  const [verb = '', chat = '', ...more] = rest.toLowerCase().split(/\s+/);
  if ((verb === '' || verb === 'list') && chat === '') return { call: { tool: 'list-chats', args: {} } };
  const isRemoval = verb === 'remove' && ChatId.safeParse(chat).success && more.length === 0;
  return isRemoval
    ? { call: { tool: 'remove-chat', args: { chat } } }
    : say(
        commandNotices.usage(
          '/chats list, /chats remove <id>; a new one is paired in a terminal: npx passepartout pair',
        ),
      );
};
