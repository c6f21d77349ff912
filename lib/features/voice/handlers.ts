/** The answer to the verb of voice. */
import { ProtocolError } from '../../core/base/errors.ts';
import { changeOwnerSetting } from '../../core/ledger/change-owner-setting.ts';
import { chatField } from '../../core/ledger/owner-settings.ts';
import { say as answer } from '../../core/operations/code-context.ts';
import { change, type Handler } from '../../core/operations/operation.ts';
import { chatOf, chatRoute, findChannel } from '../../core/signal/channels.ts';
import { chatIdOf } from '../../core/verbs/settings/chat-id-of.ts';
import { voice } from './operations.ts';
import { voiceNotices, voiceTexts } from './texts.ts';

export const VOICE_HANDLERS: readonly Handler[] = [
  change(voice, async (context, { state, chat }) => {
    const { table, signal, configured, language } = context;
    const { reply } = signal;
    const say = await voiceTexts.in(language);
    const hasVoice = ({ target }: { readonly target: string }): boolean => findChannel(target)?.saysAloud === true;
    if (chat === undefined && !hasVoice(reply)) throw new ProtocolError(say.onlyChats);
    if (state === 'on' && !configured?.SPEECH_MODEL) throw new ProtocolError(say.noSpeech);
    const place = chat === undefined ? reply : chatRoute(await chatIdOf(context, chat));
    if (!hasVoice(place)) throw new ProtocolError(say.onlyChats);
    await changeOwnerSetting(table, signal, chatField('voice', chatOf(place)), state === 'on' ? 'on' : '');
    return answer(voiceNotices.voiceSet(chat ?? say.thisChat, state));
  }),
];
