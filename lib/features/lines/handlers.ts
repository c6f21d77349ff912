/** The answer to the verb of lines. */
import { ProtocolError } from '../../core/base/errors.ts';
import { changeOwnerSetting } from '../../core/ledger/change-owner-setting.ts';
import { chatField } from '../../core/ledger/owner-settings.ts';
import { say as answer } from '../../core/operations/code-context.ts';
import { change, type Handler } from '../../core/operations/operation.ts';
import { chatOf, sendsMessages } from '../../core/signal/channels.ts';
import { chatIdOf } from '../../core/verbs/settings/chat-id-of.ts';
import { lines } from './operations.ts';
import { lineNotices, lineTexts } from './texts.ts';

export const LINE_HANDLERS: readonly Handler[] = [
  change(lines, async (context, { state, chat }) => {
    const { table, signal, language } = context;
    const say = await lineTexts.in(language);
    // The page and the terminal show the same figures beside each answer.
    if (chat === undefined && !sendsMessages(signal.reply.target)) throw new ProtocolError(say.onlyChats);
    const id = chat === undefined ? chatOf(signal.reply) : await chatIdOf(context, chat);
    await changeOwnerSetting(table, signal, chatField('lines', id), state === 'tap' ? '' : state);
    return answer(lineNotices.linesSet(chat ?? say.thisChat, state));
  }),
];
