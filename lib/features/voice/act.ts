/** The part of voice in Act: hears recordings, and says answers aloud. */
import type { ActFeature } from '../../core/operations/act-feature.ts';
import { buildRecordingPower } from './hear.ts';
import { buildSayAloud } from './say-aloud.ts';

export const actVoice: ActFeature = {
  buildKeyPowers: (context) => {
    const recordings = buildRecordingPower(context);
    return recordings === undefined ? {} : { recordings };
  },
  sayAloud: ({ env, secrets }, ...text) => buildSayAloud(env, secrets)(...text),
};
