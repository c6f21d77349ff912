/** Whether the chat of a text is served, and whether all is stopped, as the table has it now. */
import { killSwitchKey } from '../../ledger/kill-switch.ts';
import { pairedChatKey, removalOf } from '../../ledger/paired-chats.ts';
import { chatOf, chatOfSession, findChannel, sendsMessages } from '../../signal/channels.ts';
import { rootOf } from '../../signal/ids.ts';
import { loadNamed } from '../../store/load-named.ts';
import type { Item } from '../../store/table.ts';
import type { ActDeps, Task } from './act-context.ts';

type JudgedTask = Pick<Task, 'signal' | 'judged'>;

/** The door's own answers to a chat that is not served. */
const OF_THE_DOOR: readonly string[] = ['unpaired-chat', 'pairing'];

export const isOwnChat = ({ signal: { session }, judged: { action } }: JudgedTask): boolean =>
  chatOfSession(session) === chatOf(action);

/** The kill switch, and the row of the text's chat unless it came with the decision. */
export const loadStanding = ({ table }: Pick<ActDeps, 'table'>, task: JudgedTask) => {
  const { space } = task.signal;
  const { action } = task.judged;
  const isOther = sendsMessages(action.target) && !isOwnChat(task);
  return loadNamed(table, {
    killSwitch: killSwitchKey(space),
    chat: isOther ? pairedChatKey(space, chatOf(action)) : undefined,
  });
};

/** A removed chat gets no text but from the turn that removed it. @param chat its row */
export const whyUnserved = (
  { allowedChats = [] }: Pick<ActDeps, 'allowedChats'>,
  { signal: { space, root, payload }, judged: { action } }: JudgedTask,
  chat: Item | undefined,
): string | undefined => {
  const { target, to = '' } = action;
  if (!sendsMessages(target) || allowedChats.includes(chatOf(action)) || OF_THE_DOOR.includes(payload.sensor))
    return undefined;
  const removal = removalOf(chat);
  const [remover = ''] = removal?.by.slice(space.length + 1).split('#') ?? [];
  const isOwnWord = removal !== undefined && rootOf(remover) === root;
  return removal === undefined || isOwnWord ? undefined : `${findChannel(target)?.words} ${to} was removed (/chats)`;
};
