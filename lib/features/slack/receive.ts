/**
 * Slack's door: signature → parse → stop, accept, pair or open a modal → answer, within the 3
 * seconds that Slack waits. It gets a 200 only for a payload that is stored (I6) or that needs
 * nothing; a 503 makes Slack send an event again, under the same id. Nothing of one is logged.
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
import * as z from 'zod/mini';
import { defined } from '../../core/base/defined.ts';
import { PassepartoutError, ProtocolError } from '../../core/base/errors.ts';
import { parseJson } from '../../core/base/json.ts';
import { spokenLanguage, USUAL_LANGUAGE } from '../../core/base/language.ts';
import { BODY_BYTES_MAX, SECOND_MS } from '../../core/base/limits.ts';
import type { Intake } from '../../core/channels/channel.ts';
import {
  type HttpRequest,
  type HttpResponse,
  parseRequest,
  respondJson,
  respondText,
} from '../../core/http/function-url.ts';
import { languageField, ownerSettingsKey, parseOwnerSettings, settingOf } from '../../core/ledger/owner-settings.ts';
import { isPaired, pairedChatKey } from '../../core/ledger/paired-chats.ts';
import { reactionsIn, reactionsKey } from '../../core/ledger/reactions.ts';
import { chatOf } from '../../core/signal/channels.ts';
import { loadNamed } from '../../core/store/load-named.ts';
import type { Log } from '../../core/store/log.ts';
import type { Table } from '../../core/store/table.ts';
import { acceptIntake, type ChatDeps } from '../chats/accept-intake.ts';
import { slack } from '../webhooks/edge/schemes/slack.ts';
import type { SlackClient } from './client.ts';
import { tsOf } from './ids.ts';
import { findPermission, parseSlackPayload, placesOf, type SlackConfig } from './parse-payload.ts';
import { Challenge, SlackSubmission } from './payload-schema.ts';
import { sections } from './rich-text.ts';
import { SLACK_TEXTS } from './texts.ts';

/** A look or a word to a person; Slack waits 3 seconds for the answer to its payload. */
const SAY_TIMEOUT_MS = 2 * SECOND_MS;

export interface SlackDeps extends Omit<ChatDeps, 'channel'> {
  readonly table: ChatDeps['table'] & Pick<Table, 'queryIndex'>;
  readonly client: SlackClient;
  /** The app's signing secret; without one nothing is accepted. */
  readonly secret: string | undefined;
  readonly log: Log;
}

/** The signature is Slack's own over time and body, and no older than five minutes. */
const isFromSlack = async (
  { body, method, headers, query }: HttpRequest,
  { secret, now }: Pick<SlackDeps, 'secret' | 'now'>,
): Promise<boolean> => {
  if (secret === undefined) return false;
  const request = { method, headers, query, pathToken: undefined, bytes: body };
  const fetchText = async () => '';
  const source = { scheme: 'slack', secrets: [secret], options: {} };
  return !Array.isArray(await slack.verify(request, secret, source, { now, fetchText }));
};

/** Events are JSON; taps are a form with JSON in it. */
const readPayload = (body: Uint8Array): unknown => {
  const text = Buffer.from(body).toString('utf8');
  const json = text.startsWith('payload=') ? (new URLSearchParams(text).get('payload') ?? '') : text;
  return parseJson('payload', json, z.unknown());
};

/** The settings of the conversation, and which places are paired: one read. */
const loadConfig = async ({ table, config, now }: SlackDeps, payload: unknown): Promise<SlackConfig> => {
  const { space } = config;
  const { to = '', person = '' } = placesOf(payload) ?? {};
  const asked = [...new Set([to, person])].filter((place) => place !== '');
  const chat = chatOf({ target: 'slack', to });
  const { owner, reactions, chats } = await loadNamed(table, {
    owner: ownerSettingsKey(space),
    reactions: reactionsKey(space, chat),
    chats: asked.map((place) => pairedChatKey(space, chatOf({ target: 'slack', to: place }))),
  });
  return {
    space,
    now,
    paired: new Set(asked.filter((_, n) => isPaired(chats[n]))),
    reactions: reactionsIn(reactions, now),
    language: spokenLanguage(settingOf(parseOwnerSettings(owner), languageField({ target: 'slack', to }))),
  };
};

/** Shows it to the one person. Best effort. */
const tell = async ({ client }: SlackDeps, payload: unknown, text: string): Promise<void> => {
  const { channel, user, thread: thread_ts } = placesOf(payload) ?? {};
  if (channel === undefined) return;
  await client.call('chat.postEphemeral', { channel, user, text, thread_ts, parse: 'none' }, SAY_TIMEOUT_MS);
};

/** A yes opens the exact bytes first. @returns undefined for any other payload */
const openPermission = async (deps: SlackDeps, payload: unknown, config: SlackConfig): Promise<Intake | undefined> => {
  const found = findPermission(payload, config);
  if (found?.wanted.sensor !== 'approval-decision') return undefined;
  const { loadModal } = await import('./modal.ts');
  const view = await loadModal(deps.table, config.space, found.wanted, found.modal, config.language);
  const say = SLACK_TEXTS[config.language ?? USUAL_LANGUAGE];
  if (view === undefined) return { kind: 'ignored', reason: 'a yes to what does not wait here', say: say.over };
  const body = { trigger_id: found.triggerId, view };
  const { kind } = await deps.client.call('views.open', body, SAY_TIMEOUT_MS);
  const isOpen = kind === 'done';
  return {
    kind: 'ignored',
    reason: 'a yes, before its bytes were seen',
    ...defined({ say: isOpen ? undefined : say.late }),
  };
};

const YES = /"value":"a:([0-9a-f]{32})"/;

/** A reaction to a card that waits shows all of it to its person. It approves nothing. */
const showCard = async (deps: SlackDeps, payload: unknown, intake: Intake, config: SlackConfig): Promise<void> => {
  const { channel, to = '', user } = placesOf(payload) ?? {};
  if (intake.kind !== 'ignored' || intake.reaction?.emoji === undefined || channel === undefined) return;
  const { message, chat } = intake.reaction;
  const latest = tsOf(message);
  const which = { channel, latest, oldest: latest, inclusive: true, limit: 1 };
  const found = await deps.client.call('conversations.history', which, SAY_TIMEOUT_MS);
  const [, approvalId] = YES.exec(JSON.stringify(found)) ?? [];
  if (approvalId === undefined) return;
  const { loadModal } = await import('./modal.ts');
  const wanted = { sensor: 'approval-decision', approvalId, decision: 'approve', card: { chat, message } } as const;
  const view = await loadModal(deps.table, config.space, wanted, { data: '', to, message }, config.language);
  if (view === undefined) return;
  const text = SLACK_TEXTS[config.language ?? USUAL_LANGUAGE].reacted;
  const body = { channel, user, text, blocks: [...sections(text), ...view.blocks] };
  await deps.client.call('chat.postEphemeral', body, SAY_TIMEOUT_MS);
};

/** The home tab of whoever opened it. */
const showHome = async (deps: SlackDeps, payload: unknown, { language, paired }: SlackConfig): Promise<void> => {
  const { home, person = '' } = placesOf(payload) ?? {};
  if (home === undefined) return;
  const { loadHome } = await import('./home-tab.ts');
  const view = await loadHome(deps, paired.has(person), language);
  await deps.client.call('views.publish', { user_id: home, view }, SAY_TIMEOUT_MS);
};

const refuse = (status: number, message: string): HttpResponse =>
  respondJson(status, { error: { code: String(status), message } });

const answer = async (deps: SlackDeps, payload: unknown): Promise<HttpResponse> => {
  const config = await loadConfig(deps, payload);
  const parsed = (await openPermission(deps, payload, config)) ?? parseSlackPayload(payload, config);
  const intake = await acceptIntake({ ...deps, channel: 'slack' }, parsed);
  if (intake.kind !== 'ignored') return respondText('');
  deps.log('info', 'update-ignored', { reason: intake.reason });
  await showHome(deps, payload, config);
  await showCard(deps, payload, intake, config);
  if (intake.say === undefined) return respondText('');
  if (SlackSubmission.safeParse(payload).success) {
    const { noteModal } = await import('./modal.ts');
    return respondJson(200, { response_action: 'update', view: noteModal(intake.say, config.language) });
  }
  await tell(deps, payload, intake.say);
  return respondText('');
};

/** @param event a function URL event, payload 2.0 */
export const answerSlack = async (deps: SlackDeps, event: unknown): Promise<HttpResponse> => {
  try {
    const request = parseRequest(event);
    if (request.body.byteLength > BODY_BYTES_MAX) return refuse(413, 'the payload is too large');
    if (!(await isFromSlack(request, deps))) return refuse(401, 'the signature is missing, wrong or too old');
    if (request.method !== 'POST') return refuse(405, 'only POST is taken here');
    const payload = readPayload(request.body);
    const challenge = Challenge.safeParse(payload);
    return challenge.success ? respondText(challenge.data.challenge) : await answer(deps, payload);
  } catch (error) {
    if (error instanceof ProtocolError) return refuse(400, error.problem);
    deps.log('error', 'update-not-stored', { reason: error instanceof PassepartoutError ? error.name : 'unexpected' });
    return refuse(503, 'it could not be stored just now: send it again');
  }
};
