/**
 * A request of a webhook's sender → a signal, an answer, or the status it is refused with.
 * Everything in the body is `outside` (I13): the signature proves who sent it, not who wrote it. A
 * repeat of the same event from the same source is the same signal.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../core/base/canonical.ts';
import type { JsonObject } from '../../../core/base/json.ts';
import { BODY_BYTES_MAX, MINUTE_MS, WEBHOOK_BYTES_MAX } from '../../../core/base/limits.ts';
import type { Signal } from '../../../core/signal/signal.ts';
import { fillLine, lineValues, listIn, lookUp } from '../../../core/text/template.ts';
import { isRefusal, type Refusal } from '../refusal-texts.ts';
import {
  fits,
  type Handshake,
  type Headers,
  type HookRequest,
  isId,
  isStale,
  named,
  type Proof,
  parseTime,
  type Scheme,
  type SchemeContext,
  type Source,
  STALE,
  UNNAMED,
} from './scheme.ts';
import { standard } from './schemes/standard.ts';
import { SCHEMES, WEBHOOK_SOURCE } from './sources.ts';
import { BodyError, digestBody, parseBody, pickMembers } from './webhook-body.ts';
import {
  buildWebhookSignal,
  FORM_VALUE_CHARS_MAX,
  findForm,
  renderLine,
  type SignalRequest,
} from './webhook-signal.ts';

/** Its signatures are never accepted. */
const NO_SOURCE: Source = {
  scheme: 'standard',
  secrets: [`whsec_${Buffer.alloc(32).toString('base64')}`],
  options: {},
};

/** The sender's name for the event. */
const WEBHOOK_EVENT_CHARS_MAX = 128;
/** The same bytes count as a repeat for so long, unless scheme or entry say otherwise. */
const REPEAT_MINUTES = 10;

export interface WebhookRequest extends HookRequest, SchemeContext, SignalRequest {
  readonly sources: ReadonlyMap<string, Source>;
}

type RefusedStatus = 400 | 401 | 404 | 405 | 413;

export type ParsedWebhook =
  | { readonly kind: 'signal'; readonly signal: Signal }
  | { readonly kind: 'answer'; readonly answer: Handshake }
  /** `reason` is for the owner alone: an unproven sender must not learn which check failed. */
  | { readonly kind: 'refused'; readonly status: RefusedStatus; readonly error: string; readonly reason?: Refusal };

const refuse = (status: RefusedStatus, error: string, reason?: Refusal): ParsedWebhook => ({
  kind: 'refused',
  status,
  error,
  ...(reason === undefined ? {} : { reason }),
});

/** The same words for an unknown source, a wrong signature and an old time. */
const refuseUnsigned = (reason: Refusal): ParsedWebhook =>
  refuse(401, 'this is not a signed event of a known source', reason);

const NO_SECRET: Refusal = ['noSecret'];

/** A genuine request, with the secret that fits; or the reason of the first secret. */
const verifySource = async (request: WebhookRequest, scheme: Scheme, source: Source) => {
  const results = await Promise.all(
    source.secrets.map(async (secret) => ({ secret, result: await scheme.verify(request, secret, source, request) })),
  );
  const [first] = results;
  for (const { secret, result } of results) if (!isRefusal(result)) return { secret, proof: result };
  return first !== undefined && isRefusal(first.result) ? first.result : NO_SECRET;
};

/** One HMAC over the body: refusing an unknown source, or one without HMAC, takes as long. */
const standIn = (request: WebhookRequest) => verifySource(request, standard, NO_SOURCE);

/** The body is signed, so the id and the time that the scheme names in it win over the headers'. */
const completeProof = ({ idMember, timeMember }: Scheme, proof: Proof, body: JsonObject): Proof => {
  const id = idMember === undefined ? undefined : lookUp(body, idMember);
  const time = timeMember === undefined ? undefined : lookUp(body, timeMember);
  return {
    ...proof,
    id: typeof id === 'string' && isId(id) ? id : proof.id,
    sentAt: timeMember === undefined ? proof.sentAt : (parseTime(String(time)) ?? 0),
  };
};

/** The signed text that makes it this event, without the time of sending it once more. */
const signedOf = ({ timeMember }: Scheme, { signed }: Proof, body: JsonObject, bytes: Uint8Array) => {
  if (timeMember === undefined) return signed ?? bytes;
  const { [timeMember]: _, ...rest } = body;
  return canonicalJson(rest);
};

/**
 * The id of the event. Without one that the signature covers it is the hash of what is signed. The
 * same within a stretch of the clock is the same event; with a signed time only that moment's is.
 */
const eventId = (
  { bytes, now }: WebhookRequest,
  { scheme, source, body }: { readonly scheme: Scheme; readonly source: Source; readonly body: JsonObject },
  proof: Proof,
): string => {
  if (proof.id !== undefined) return proof.id;
  const { repeatMinutes } = source;
  const hash = createHash('sha256')
    .update(signedOf(scheme, proof, body, bytes))
    .digest('hex')
    .slice(0, 32);
  if (repeatMinutes === undefined && scheme.isUnique === true) return hash;
  if (proof.sentAt !== undefined) return `${hash}-${proof.sentAt}`;
  const minutes = repeatMinutes ?? REPEAT_MINUTES;
  return `${hash}-${minutes === 0 ? now : Math.floor(now / (minutes * MINUTE_MS))}`;
};

/** Members by which senders name an event. The text of any other may be an outsider's. */
const NAMING = ['type', 'event', 'event_type', 'topic', 'action', 'status', 'kind', 'object_kind'];

/** The name in a header of the owner's choice, if the body has such a member or says it. */
const nameOfOwner = (said: string | undefined, body: JsonObject): string =>
  said !== undefined && (Object.hasOwn(body, said) || NAMING.some((member) => body[member] === said)) ? said : UNNAMED;

/** A header names the event if the body's own words fit, or if the request is trusted whole. */
const nameEvent = (scheme: Scheme, { options }: Source, headers: Headers, body: JsonObject): string | undefined => {
  if (options.event !== undefined) {
    const said = headers[options.event];
    return scheme.root === 'token' ? said : nameOfOwner(said, body);
  }
  const { eventHeader, words = {}, hasAction } = scheme;
  if (eventHeader === undefined) return scheme.nameEvent?.(body);
  const said = headers[eventHeader] ?? '';
  const own = Object.hasOwn(words, said) ? words[said] : undefined;
  if (own === undefined || !fits(own, body)) return UNNAMED;
  return named(said, hasAction === true ? body.action : undefined);
};

/**
 * Members that name an event, the most telling first. The later ones are of Azure, AWS, HubSpot,
 * Jira, Bitbucket Server, Postmark, Mailgun and Lemon Squeezy.
 */
const NAMES = [
  ...['type', 'event', 'status', 'event_type', 'eventType', 'event_name', 'eventName', 'eventKey', 'detail-type'],
  ...['subscriptionType', 'webhookEvent', 'triggerEvent', 'RecordType', 'topic', 'object_kind', 'action', 'kind'],
  ...['event.type', 'event.event_type', 'event.name', 'meta.event_name', 'event-data.event', 'action.type'],
];

/** @param said by the scheme or a header of the owner's choice */
const eventName = (said: string | undefined, body: JsonObject): string => {
  const names = [said, ...NAMES.map((path) => lookUp(body, path))];
  const name = names.find((one) => typeof one === 'string' && one !== '');
  return typeof name === 'string' ? name.slice(0, WEBHOOK_EVENT_CHARS_MAX).toWellFormed() : 'event';
};

/** The name of a body that is a list, unless all in it have the same one. */
const LIST = 'list';
/** Names of a list that its line says. */
const NAMES_TOLD_MAX = 5;

const tellList = (count: number, names: readonly string[], first: string): string => {
  if (count === 0) return 'a list with nothing in it';
  if (count === 1) return first;
  const told = names.slice(0, NAMES_TOLD_MAX).join(', ');
  const more = names.length > NAMES_TOLD_MAX ? ` and ${names.length - NAMES_TOLD_MAX} more names` : '';
  return `${count} events (${told}${more}), the first: ${first}`;
};

const answerOrSignal = async (
  request: WebhookRequest,
  { scheme, source, secret, proof: signed }: { scheme: Scheme; source: Source; secret: string; proof: Proof },
): Promise<ParsedWebhook> => {
  const { body: parsed, notes } = parseBody(request.headers, request.bytes, scheme);
  const body = scheme.signedMembers === undefined ? parsed : pickMembers(parsed, scheme.signedMembers(parsed));
  const proof = completeProof(scheme, signed, body);
  if (proof.sentAt !== undefined && isStale(proof.sentAt, request.now)) return refuseUnsigned(STALE);
  const answer = await scheme.answer?.(body, secret, request);
  if (answer !== undefined) return { kind: 'answer', answer };
  const list = listIn(body);
  const [first = body] = list ?? [];
  const nameOf = (one: JsonObject) => eventName(nameEvent(scheme, source, request.headers, one), one);
  const names = [...new Set((list ?? [body]).map(nameOf))];
  const event = names.length === 1 ? (names[0] ?? LIST) : LIST;
  const own = { forms: request.eventForms?.[request.name] ?? {} };
  const ownForm = findForm(own, event) ?? source.form;
  const template = ownForm ?? findForm(scheme, nameOf(first));
  const values = { ...lineValues(body), ...(ownForm === undefined ? scheme.values?.(first) : {}) };
  const form = template === undefined ? '' : fillLine(template, values, FORM_VALUE_CHARS_MAX);
  const line = form === '' ? JSON.stringify(first) : form;
  const text = renderLine(list === undefined ? line : tellList(list.length, names, line), notes);
  const isLarge = request.bytes.byteLength > BODY_BYTES_MAX;
  const stored = isLarge ? digestBody(values, request.bytes, template ?? '') : body;
  const id = eventId(request, { scheme, source, body }, proof);
  return { kind: 'signal', signal: buildWebhookSignal(request, id, { body: stored, event, text }) };
};

/** A sender asks for the address before it posts to it. */
const answerAsk = async (request: WebhookRequest, scheme: Scheme, source: Source): Promise<Handshake | undefined> => {
  if (request.method === 'GET') return scheme.answerGet?.(request, source);
  if (request.method !== 'OPTIONS' || scheme.answerOptions === undefined) return undefined;
  const verified = await verifySource(request, scheme, source);
  return isRefusal(verified) ? undefined : scheme.answerOptions(request.headers);
};

/** @throws UnavailableError if a scheme could not get what it needs to verify */
export const parseWebhookRequest = async (request: WebhookRequest): Promise<ParsedWebhook> => {
  const { name, method, bytes, sources } = request;
  if (!WEBHOOK_SOURCE.test(name)) return refuse(404, 'there is nothing at this path');
  const source = sources.get(name);
  const scheme = SCHEMES[source?.scheme ?? ''];
  if (method !== 'POST') {
    const answer = source === undefined || scheme === undefined ? undefined : await answerAsk(request, scheme, source);
    return answer === undefined ? refuse(405, 'only POST is taken here') : { kind: 'answer', answer };
  }
  if (bytes.byteLength > WEBHOOK_BYTES_MAX) return refuse(413, `body is larger than ${WEBHOOK_BYTES_MAX} bytes`);
  if (source === undefined || scheme === undefined) {
    await standIn(request);
    return refuseUnsigned(['noSource']);
  }
  const verified = await verifySource(request, scheme, source);
  if (isRefusal(verified)) {
    if (source.secrets.every((secret) => scheme.signing?.(source, secret) === undefined)) await standIn(request);
    return refuseUnsigned(verified);
  }
  const asked = bytes.byteLength === 0 ? scheme.answerEmpty?.(request.query) : undefined;
  if (asked !== undefined) return { kind: 'answer', answer: asked };
  try {
    return await answerOrSignal(request, { scheme, source, ...verified });
  } catch (error) {
    if (error instanceof BodyError) return refuse(400, error.problem, error.refusal);
    throw error;
  }
};

/** A service asked for the address: that is told once, as its ping. */
export const buildHello = (request: SignalRequest): Signal => {
  const text = `${request.name} asked whether this address is mine, and was answered.`;
  return buildWebhookSignal(request, 'hello', { body: {}, event: 'ping', text });
};
