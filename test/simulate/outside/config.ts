/**
 * The settings of a simulated stack, by the names of `lib/core/store/settings.ts`: they fit the
 * servers and clients of this folder. The names of table, queues and buckets are not here; the
 * world that makes those adds them. No secret is real.
 */
import type { Configured } from '../types.ts';

export interface Config {
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

export const BOT_ID = '4242';
/** Private chats, each of one person with the same id. All these persons may approve. */
export const CHATS = ['1001', '1002', '1003'] as const;
/** A chat that was paired by a code: it can be removed. */
export const PAIRED_CHAT = '1004';
/** The id that a chat gets when it moves. */
export const MOVED = { '1001': '-1001001' } as const;
/** Gets the texts about events that nobody asked for. */
export const HOME_CHAT = '1001';
/** The only webhook that the agent may call. The network gate refuses the ending `.test`. */
export const HOOK = { name: 'deploys', url: 'https://hooks.example/deploys' } as const;
/** Micro-dollars of one call of it. */
const HOOK_MICROS = 700;
/** What each `call` sends. */
export const SHARED_BODY = { round: 'deploy' } as const;
/** Micro-dollars of one token. */
export const TOKEN_MICROS = { prompt: 1, completion: 4 } as const;
export const MODEL_NAME = 'simulated-1';

const secretOf = (name: string): string => `whsec_${Buffer.from(`${name} of the simulator, 24+`).toString('base64')}`;
const secretsOf = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, secretOf(name)]));

/** Senders of signed events. */
export const SOURCES = ['shop', 'builds'] as const;
export const HOOK_SECRET = secretOf('hook');
const PROVIDER = {
  baseUrl: 'http://model.test/v1',
  model: MODEL_NAME,
  contextTokens: 32_000,
  images: true,
  prices: { prompt: TOKEN_MICROS.prompt, completion: TOKEN_MICROS.completion },
};

export const CONFIG: Config = {
  environment: {
    EVENTS_WITHOUT_JOB: 'ask',
    SPACE: 'default',
    LOG_LEVEL: 'error',
    STREAMING: 'off',
    // A job that the program makes by itself is none of the story's.
    MAINTENANCE: 'off',
    HOME_CHAT,
    PROVIDERS: JSON.stringify({ simulated: PROVIDER }),
    PROVIDER_CASCADE: 'simulated',
    TRANSCRIPTION_MODEL: 'simulated-ear',
    TRANSCRIPTION_BASE_URL: PROVIDER.baseUrl,
    TRANSCRIPTION_PRICE: '0',
    PROVIDER_NAMES: `simulated:${MODEL_NAME}`,
    TELEGRAM_BOT_ID: BOT_ID,
    TELEGRAM_STATE: 'webhook',
    TELEGRAM_API_ROOT: 'https://telegram.test',
    TELEGRAM_ALLOWED_CHATS: CHATS.join(','),
    TELEGRAM_APPROVERS: CHATS.join(','),
    WEBHOOK_URLS: JSON.stringify({ [HOOK.name]: HOOK.url }),
    WEBHOOK_COSTS: `${HOOK.name}=${HOOK_MICROS / 1_000_000}`,
  },
  secrets: {
    APPROVER_TOKEN: 'approver-token-of-the-simulator',
    TELEGRAM_BOT_TOKEN: `${BOT_ID}:AAq7Zr2Xw9LmK4vTn8YbHc3GfJ6dUeP1oS5k`,
    TELEGRAM_WEBHOOK_SECRET: 'telegram-secret-of-the-simulator',
    LOG_SIGNING_KEY: 'signing-key-of-the-simulator',
    RUNNER_SIGNING_KEY: 'runner-key-of-the-simulator',
    WEBHOOK_SECRETS: JSON.stringify(secretsOf(...SOURCES)),
    WEBHOOK_TARGETS: JSON.stringify({ [HOOK.name]: { url: HOOK.url, secret: HOOK_SECRET } }),
  },
};

const { WEBHOOK_SECRETS: _sources, WEBHOOK_TARGETS: _targets, ...plainSecrets } = CONFIG.secrets;

/** What the checker must know of these settings. */
export const CONFIGURED: Configured = {
  secrets: [...Object.values(plainSecrets), ...Object.values(secretsOf(...SOURCES)), HOOK_SECRET],
  approvers: [...CHATS.map((chat) => `telegram:${chat}`), 'console-approver'],
  hookMicros: HOOK_MICROS,
  moved: MOVED,
};
