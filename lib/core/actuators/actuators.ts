/**
 * The actuators that Act performs with, by target. Each is loaded with its first call. `console`
 * and `system` are not among them: storing the effect performs a text to them. No output holds a
 * configured secret (I11).
 */

import { ConfigError } from '../base/errors.ts';
import type { LoadCard, LoadFile, NoteOwn, SayAloud, Senders } from '../channels/channel.ts';
import { buildSenders } from '../channels/senders.ts';
import { noteOwnMessage } from '../ledger/own-messages.ts';
import type { ActWays } from '../operations/act-feature.ts';
import type { Actuator, HandingActuator } from '../signal/actuator.ts';
import type { PerceiveMessage } from '../signal/messages.ts';
import type { Publish, SendOrder } from '../store/queue.ts';
import type { Secrets } from '../store/secrets.ts';
import { type Environment, SETTINGS } from '../store/settings.ts';
import type { Table } from '../store/table.ts';
import { secretValuesOf } from '../text/secret-values.ts';
import { canonicalWebhooks, knowsRepeats } from '../tools/webhooks.ts';
import { buildLeaveOut, hideSecrets, keepWithout } from './leave-out.ts';
import type { ToolSet } from './tool-set.ts';

export const loadLazy = () => import('./lazy.ts');

export interface ActuatorParts {
  readonly env: Environment<'act'>;
  readonly secrets: Secrets;
  readonly table: Table;
  /** The same tool set for as long as the process lives: what it has read is not read again. */
  readonly loadToolSet: () => Promise<ToolSet>;
  readonly newId: () => string;
  readonly publishPerceive: Publish<PerceiveMessage>;
  readonly sendOrder: SendOrder;
  /** In place of channels, webhooks and those who read files; a simulation has its own. */
  readonly world?: World | undefined;
}

interface World {
  readonly senders: Senders;
  readonly webhook: Actuator;
  readonly ways?: Partial<ActWays> | undefined;
}

/** @throws ConfigError if WEBHOOK_TARGETS or MCP_SERVERS does not have its form */
export const buildActuators = (parts: ActuatorParts) => {
  const { env, secrets, table, loadToolSet, world } = parts;
  const webhooks = SETTINGS.WEBHOOK_TARGETS.schema.safeParse(secrets.get('WEBHOOK_TARGETS') ?? '{}');
  if (!webhooks.success) throw new ConfigError(['WEBHOOK_TARGETS is not JSON of name → {"url"}']);
  const mcpServers = SETTINGS.MCP_SERVERS.schema.safeParse(secrets.get('MCP_SERVERS') ?? '{}');
  if (!mcpServers.success) throw new ConfigError(['MCP_SERVERS is not JSON of name → {"url", "token"}']);
  const repeats = canonicalWebhooks(webhooks.data, knowsRepeats);
  const held = secretValuesOf(secrets);
  const leaveOut = buildLeaveOut(held);
  // The evidence has the hash of the whole text that a machine signed.
  const leaveOutSigned = buildLeaveOut(held, true);
  const noteOwn: NoteOwn = (chat, message, now) => noteOwnMessage(table, env.SPACE, { chat, message }, now);
  const sayAloud: SayAloud = async (...text) => (await loadLazy()).sayAloud(parts, senders, ...text);
  const loadFile: LoadFile = async (hash) => (await loadLazy()).buildContents(env)?.load(hash);
  const loadCard: LoadCard = async (...of) => (await loadLazy()).loadCardFile(table, env.SPACE, ...of);
  const senders = world?.senders ?? buildSenders({ env, secrets, table, noteOwn, sayAloud, loadFile, loadCard });
  const documentText = async (hash: string) => (await loadLazy()).loadDocumentText(parts, senders, hash);
  const loadTool = async (): Promise<Actuator> => {
    const { buildToolActuator, keyPowers } = await loadLazy();
    const { TIME_ZONE: zone, PRIVACY_FILTER_TAGS: privacyTags } = env;
    const { memory, ...rest } = await loadToolSet();
    const powers = { ...rest.powers, ...(await keyPowers(parts, senders)) };
    const records = { ...rest.records, keepOutput: keepWithout(rest.records.keepOutput, leaveOut) };
    return buildToolActuator({ memory, records, powers, zone, privacyTags, newNonce: parts.newId });
  };
  const loadRunner = async (): Promise<HandingActuator> => {
    const { buildHanding } = await loadLazy();
    return buildHanding(parts, senders, keepWithout((await loadToolSet()).records.keepOutput, leaveOutSigned));
  };
  const loadCaller = async (of: 'buildRemote' | 'buildWebhook'): Promise<Actuator> => {
    const keepOutput = keepWithout((await loadToolSet()).records.keepOutput, leaveOut);
    return (await loadLazy()).buildCaller(of, parts, senders, keepOutput);
  };
  const loadWebhook = async () => world?.webhook ?? loadCaller('buildWebhook');
  const lazy = (kind: Actuator['kind'], load: () => Promise<Actuator>, leave = leaveOut): Actuator =>
    hideSecrets({ kind, deliver: async (action, context) => (await load()).deliver(action, context) }, leave);
  const runner: Actuator = {
    ...lazy('idempotent', loadRunner, leaveOutSigned),
    collect: hideSecrets(
      { kind: 'idempotent', deliver: async (...call) => (await loadRunner()).collect(...call) },
      leaveOutSigned,
    ).deliver,
    forgetHanded: async (...effect) => (await loadRunner()).forgetHanded(...effect),
  };
  return {
    actuators: new Map<string, Actuator>([
      ['tool', lazy('idempotent', loadTool)],
      ['mcp', lazy('once', () => loadCaller('buildRemote'))],
      ['runner', runner],
      ['webhook', { ...lazy('idempotent', loadWebhook), isOnce: ({ to = '' }) => repeats[to] !== true }],
      ...[...senders].map(([id, load]) => [id, lazy('once', async () => (await load()).actuator)] as const),
    ]),
    senders,
    silent: new Set(env.SILENT_ACTUATORS),
    secrets: held,
    documentText,
  };
};
