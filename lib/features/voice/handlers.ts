/** The answer to the verb of voice. */
import { ProtocolError } from '../../core/base/errors.ts';
import { changeOwnerSetting } from '../../core/ledger/change-owner-setting.ts';
import { chatField } from '../../core/ledger/owner-settings.ts';
import { say as answer } from '../../core/operations/code-context.ts';
import { change, type Handler } from '../../core/operations/operation.ts';
import { sendsMessages } from '../../core/signal/channels.ts';
import { chatIdOf } from '../../core/verbs/settings/chat-id-of.ts';
import { voice } from './operations.ts';
import { voiceNotices, voiceTexts } from './texts.ts';

export const VOICE_HANDLERS: readonly Handler[] = [
  change(voice, async (context, { state, chat }) => {
    const { table, signal, configured, language } = context;
    const { reply } = signal;
    const say = await voiceTexts.in(language);
    if (chat === undefined && !sendsMessages(reply.target)) throw new ProtocolError(say.onlyChats);
    if (state === 'on' && !configured?.SPEECH_MODEL) throw new ProtocolError(say.noSpeech);
    const id = chat === undefined ? reply.to : await chatIdOf(context, chat);
    await changeOwnerSetting(table, signal, chatField('voice', id), state === 'on' ? 'on' : '');
    return answer(voiceNotices.voiceSet(chat ?? say.thisChat, state));
  }),
];
