/**
 * What a voice note of 30 seconds in Telegram costs beside a text of the same words, with a
 * provider that takes no time: its file is fetched, heard and quoted, then Reason answers it.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { startModel, startStackChild } from './children.ts';
import { quantile } from './drive.ts';
import { startChats } from './drive-chats.ts';
import type { Measure } from './measure.ts';
import { modelSettings, NO_HEARTBEAT_S } from './measure-turns.ts';

const LOAD = { chats: 1, turns: 100, maxMs: 60_000 } as const;
/** Code is compiled, and the conversation has its history. */
const WARM_UP = { chats: 1, turns: 40, maxMs: 60_000 } as const;
const OVERHEAD_MS_MAX = 100;

export const measureVoice: Measure = async ({ scratch, cacheDir, progress }) => {
  progress('voice');
  const [model, chats] = [await startModel(), await startChats()];
  const stack = await startStackChild({
    dataDir: mkdtempSync(join(scratch, 'voice-')),
    cacheDir,
    heartbeatIntervalSeconds: NO_HEARTBEAT_S,
    environment: {
      ...modelSettings(model.baseUrl),
      ...chats.settings(1),
      TELEGRAM_APPROVERS: '1',
      TRANSCRIPTION_MODEL: 'bench',
      TRANSCRIPTION_BASE_URL: model.baseUrl,
      TRANSCRIPTION_API_KEY: 'key-of-the-benchmark',
      TRANSCRIPTION_PRICE: '0.006',
    },
  });
  try {
    const p50 = async (isSpoken: boolean): Promise<number> => {
      await chats.drive({ url: stack.url, ...WARM_UP, isSpoken });
      return quantile((await chats.drive({ url: stack.url, ...LOAD, isSpoken })).turnMs, 0.5);
    };
    const [text, voice] = [await p50(false), await p50(true)];
    const group = 'a voice note of 30 s in Telegram, with a provider that takes no time, p50';
    const note = `a text of the same words: ${text.toFixed(1)} ms`;
    const goal = { is: '≤', value: OVERHEAD_MS_MAX } as const;
    return [
      { group, name: 'from the update to the answer', value: voice, unit: 'ms', note, goal },
      { group, name: 'more than a text', value: voice - text, unit: 'ms' },
    ];
  } finally {
    await stack.close();
    await model.close();
    chats.close();
  }
};
