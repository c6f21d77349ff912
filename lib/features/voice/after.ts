/** Has an answer said aloud once it was sent, in a chat that wants voice notes. */
import { chatSettingOf } from '../../core/ledger/owner-settings.ts';
import { chatOf } from '../../core/signal/channels.ts';
import { VOICE_NOTE } from '../../core/signal/ids.ts';
import type { EffectNotice } from '../../core/stages/act/after.ts';

type LoadVoiceNotice = () => Promise<Pick<typeof import('./voice-notice.ts'), 'voiceNotice'>>;

export const saysAloud = (loadLate: LoadVoiceNotice): EffectNotice => ({
  name: 'voice',
  takes: ({ settings }, { action }) =>
    action.template === VOICE_NOTE || chatSettingOf(settings, 'voice', chatOf(action)) === 'on',
  build: async (...acted) => (await loadLate()).voiceNotice(...acted),
});
