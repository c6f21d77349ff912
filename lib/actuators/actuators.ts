/**
 * The actuators Act works with, built from its environment and secrets: the registry is the list below. `console` and
 * `system` are not in it: a text to them is performed by storing its effect, which is where their readers find it.
 */
import { ConfigError } from '../base/errors.ts';
import { SECOND_MS } from '../base/limits.ts';
import { canonicalUrl, canonicalWebhooks } from '../judge/webhook-urls.ts';
import type { Actuator } from '../signal/actuator.ts';
import type { Secrets } from '../store/secrets.ts';
import { type Environment, SETTINGS } from '../store/settings.ts';
import type { Hands } from './hands.ts';
import { hideSecrets } from './hide-secrets.ts';
import { buildLateActuator } from './late-actuator.ts';
import { TELEGRAM_TIMEOUT_MS } from './limits.ts';
import type { SendDraft, SendTyping } from './show-draft.ts';

const WEBHOOK_TIMEOUT_MS = 10 * SECOND_MS;

/** Every secret value on its own, by name: what must never leave (I11). */
const singleSecrets = (
  token: string | undefined,
  targets: Readonly<Record<string, { readonly secret: string }>>,
  servers: Readonly<Record<string, { readonly token: string }>>,
): ReadonlyMap<string, string> =>
  new Map([
    ...(token === undefined ? [] : [['TELEGRAM_BOT_TOKEN', token] as const]),
    // With and without its prefix: the key itself is what must not leave.
    ...Object.entries(targets).map(
      ([name, target]) => [`WEBHOOK_TARGETS.${name}`, target.secret.replace(/^whsec_/u, '')] as const,
    ),
    ...Object.entries(servers).map(([name, { token: value }]) => [`MCP_SERVERS.${name}`, value] as const),
  ]);

/** Loaded with the first text or draft for Telegram. */
const loadTelegram = async (token: string, apiRoot: string) => {
  const { buildTelegramClient } = await import('./client.ts');
  const { buildTelegramActuator } = await import('./telegram.ts');
  const { buildSendDraft, buildSendTyping } = await import('./telegram-draft.ts');
  const client = buildTelegramClient({ token, apiRoot, timeoutMs: TELEGRAM_TIMEOUT_MS });
  return {
    actuator: buildTelegramActuator(client),
    sendDraft: buildSendDraft(client),
    sendTyping: buildSendTyping(client),
  };
};

/** @throws ConfigError when WEBHOOK_TARGETS does not have its form. */
export const buildActuators = (parts: {
  readonly env: Environment<'act'>;
  readonly secrets: Secrets;
  /** Kept from message to message: what was read before need not be read again. */
  readonly loadHands: () => Promise<Hands>;
  readonly newId: () => string;
}) => {
  const { env, secrets, loadHands, newId } = parts;
  const parsed = SETTINGS.WEBHOOK_TARGETS.schema.safeParse(secrets.get('WEBHOOK_TARGETS') ?? '{}');
  if (!parsed.success) throw new ConfigError(['WEBHOOK_TARGETS is not JSON of name → {"url", "secret"}']);
  const targets = canonicalWebhooks(parsed.data, ({ url, secret }) => ({ url: canonicalUrl(url), secret }));
  const mcpTokens = SETTINGS.MCP_SERVERS.schema.safeParse(secrets.get('MCP_SERVERS') ?? '{}');
  if (!mcpTokens.success) throw new ConfigError(['MCP_SERVERS is not JSON of name → {"url", "token"}']);
  const tokenFor = (server: string, url: string): string | undefined => {
    const configured = Object.hasOwn(mcpTokens.data, server) ? mcpTokens.data[server] : undefined;
    return configured !== undefined && canonicalUrl(configured.url) === url ? configured.token : undefined;
  };
  const token = secrets.get('TELEGRAM_BOT_TOKEN');
  let sendDraft: SendDraft | undefined;
  let sendTyping: SendTyping | undefined;
  const actuators = new Map<string, Actuator>([
    [
      'tool',
      buildLateActuator('idempotent', async () => {
        const { buildToolHand } = await import('./hands.ts');
        const zone = env.TIME_ZONE;
        const privacyTags = env.PRIVACY_FILTER_TAGS;
        return buildToolHand(await loadHands(), { zone, privacyTags, newNonce: newId, tokenFor });
      }),
    ],
    [
      'mcp',
      buildLateActuator('once', async () => {
        const { buildMcpHand } = await import('./hands.ts');
        return buildMcpHand(await loadHands(), tokenFor);
      }),
    ],
    [
      'webhook',
      buildLateActuator('idempotent', async () => {
        const { buildWebhookActuator } = await import('./webhook.ts');
        return buildWebhookActuator({ targets: new Map(Object.entries(targets)), timeoutMs: WEBHOOK_TIMEOUT_MS });
      }),
    ],
  ]);
  if (token !== undefined) {
    const load = () => loadTelegram(token, env.TELEGRAM_API_ROOT);
    actuators.set(
      'telegram',
      buildLateActuator('once', async () => (await load()).actuator),
    );
    sendDraft = async (...draft) => (await load()).sendDraft(...draft);
    sendTyping = async (chat) => (await load()).sendTyping(chat);
  }
  const held = singleSecrets(token, targets, mcpTokens.data);
  return {
    actuators: new Map([...actuators].map(([name, actuator]) => [name, hideSecrets(actuator, held)])),
    sendDraft,
    sendTyping,
    silent: new Set(env.SILENT_ACTUATORS),
    secrets: held,
  };
};
