/**
 * An event of a service as a signal, whether the service posted it or was asked for it: `outside`
 * words (I13) in the owner's form, or a scheme's, and a body that the table can hold.
 */
import type { JsonObject } from '../../../core/base/json.ts';
import { BODY_BYTES_MAX, KIB } from '../../../core/base/limits.ts';
import { makeVisible } from '../../../core/base/make-visible.ts';
import { homeRoute, MAIN_CONSOLE } from '../../../core/signal/channels.ts';
import { webhookSignalId } from '../../../core/signal/ids.ts';
import type { ReplyRoute, Signal } from '../../../core/signal/signal.ts';
import { fillLine, lineValues } from '../../../core/text/template.ts';
import type { Scheme } from './scheme.ts';
import { digestBody, parseBody } from './webhook-body.ts';

/** Characters of the body that a prompt shows; the stored item holds all of it. */
export const WEBHOOK_TEXT_CHARS_MAX = 16 * KIB;
/** Of one value in a form: a comment or a commit message may be long. */
export const FORM_VALUE_CHARS_MAX = 600;

/** The parts of a request that a signal is made of. */
export interface SignalRequest {
  /** The source, as the path or the caller names it. */
  readonly name: string;
  readonly space: string;
  readonly now: number;
  /** Telegram chat that gets texts about events nobody asked for. */
  readonly homeChat?: string | undefined;
  /** Hears of them if there is no home chat; the console's main session unless set. */
  readonly defaultActuator?: ReplyRoute['target'] | undefined;
  /** Lines of the owner's: source → event → template. */
  readonly eventForms?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
}

/** The form of the event, of its part before the first point, or of any. */
export const findForm = ({ forms = {} }: Pick<Scheme, 'forms'>, event: string): string | undefined => {
  const name = [event, event.split('.')[0] ?? '', ''].find((one) => Object.hasOwn(forms, one));
  return name === undefined ? undefined : forms[name];
};

const replyRoute = ({ homeChat, defaultActuator }: SignalRequest): ReplyRoute =>
  homeRoute(homeChat) ?? (defaultActuator === 'system' ? { target: 'system', to: '' } : MAIN_CONSOLE);

export const buildWebhookSignal = (
  request: SignalRequest,
  webhookId: string,
  { body, event, text }: { readonly body: JsonObject; readonly event: string; readonly text: string },
): Signal => {
  const { name, now, space } = request;
  const id = webhookSignalId(name, webhookId);
  return {
    schemaVersion: 1,
    id,
    type: 'EVENT',
    source: 'webhook',
    space,
    session: `webhook:${name}`,
    root: id,
    depth: 0,
    receivedAt: now,
    sender: { id: `webhook:${name}`, isApprover: false },
    reply: replyRoute(request),
    payload: {
      sensor: 'webhook',
      source: name,
      event,
      body,
      text: [{ text, origin: 'outside', label: 'webhook body' }],
    },
  };
};

const CUT = ' …(cut)';

/** Words of strangers that a person reads: what turns them round or is not seen is spelled out. */
export const renderLine = (line: string, notes: readonly string[]): string => {
  const note = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
  const room = WEBHOOK_TEXT_CHARS_MAX - note.length;
  const text = makeVisible(line.slice(0, room + 1));
  const cut = text.length <= room ? text : `${text.slice(0, room - CUT.length).toWellFormed()}${CUT}`;
  return `${cut}${note}`;
};

/**
 * An event that was fetched from its service, as if that had posted it. @param json its body
 * @throws BodyError if it cannot be stored
 */
export const buildFetchedSignal = (
  request: SignalRequest,
  { id, event, json }: { readonly id: string; readonly event: string; readonly json: string },
): Signal => {
  const bytes = Buffer.from(json);
  const { body, notes } = parseBody({}, bytes, {});
  const template = findForm({ forms: request.eventForms?.[request.name] ?? {} }, event) ?? '';
  const values = lineValues(body);
  const line = fillLine(template, values, FORM_VALUE_CHARS_MAX);
  const isLarge = bytes.byteLength > BODY_BYTES_MAX;
  return buildWebhookSignal(request, id, {
    body: isLarge ? digestBody(values, bytes, template) : body,
    ...{ event, text: renderLine(line === '' ? JSON.stringify(body) : line, notes) },
  });
};
