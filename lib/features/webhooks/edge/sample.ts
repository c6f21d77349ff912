/** A signed sample event of a source, so that the chain can be tried without the service. Pure. */
import { createHmac } from 'node:crypto';
import type { JsonObject } from '../../../core/base/json.ts';
import { findTemplates } from '../../../core/text/template.ts';
import { type HmacForm, type Source, signedBytes } from './scheme.ts';
import { SCHEMES } from './sources.ts';
import { type JsonTree, putAt } from './webhook-body.ts';
import { findForm } from './webhook-signal.ts';

/** The members of an event's name, the second for the part after its point. */
interface EventPlace {
  readonly member?: string;
  readonly action?: string;
}

/** Of all others it is the member `type`, or a header of the scheme or the entry. */
const PLACES: Readonly<Record<string, EventPlace>> = {
  gitlab: { member: 'object_kind', action: 'object_attributes.action' },
  slack: { member: 'event.type' },
  linear: { member: 'type', action: 'action' },
  pagerduty: { member: 'event.event_type' },
  grafana: { member: 'status' },
  alertmanager: { member: 'status' },
  zoom: { member: 'event' },
  typeform: { member: 'event_type' },
  calcom: { member: 'triggerEvent' },
  meta: { member: 'object' },
};

/** Headers that prove a request; undefined if only the service can make them. */
const proofOf = (source: Source, secret: string, id: string, now: number, body: string) => {
  const { scheme, options } = source;
  switch (scheme) {
    case 'alertmanager':
    case 'bearer':
      return { authorization: `Bearer ${secret}` };
    case 'basic':
      return { authorization: `Basic ${Buffer.from(secret).toString('base64')}` };
    case 'header-token':
      return { [options.header ?? '']: secret };
    case 'path-token':
      return {};
    default: {
      const form = SCHEMES[scheme]?.signing?.(source, secret);
      if (form !== undefined) return sign(form, secret, id, now, body);
      return scheme === 'gitlab' ? { 'x-gitlab-token': secret, 'idempotency-key': id } : undefined;
    }
  }
};

const sign = (form: HmacForm, secret: string, id: string, now: number, body: string) => {
  const { algorithm = 'sha256', encoding = 'hex', prefix = '', signed = '{body}', separator = ',' } = form;
  const time = String(Math.floor(now / 1000));
  const mac = createHmac(algorithm, form.keyOf?.(secret) ?? Buffer.from(secret))
    .update(signedBytes(signed, id, time, Buffer.from(body)))
    .digest(encoding);
  const field = form.timeField === undefined ? '' : `${form.timeField}=${time}${separator}`;
  return {
    [form.signature]: `${field}${prefix}${mac}`,
    ...(form.time === undefined ? {} : { [form.time]: time }),
    ...(form.id === undefined ? {} : { [form.id]: id }),
  };
};

export interface Sample {
  /** Below the address of the stack. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An event that the service really has, if it names its events in a header. */
export const sampleEvent = ({ scheme }: Pick<Source, 'scheme'>): string => {
  const { words, forms = {} } = SCHEMES[scheme] ?? {};
  const [first = 'test'] = words === undefined ? [] : [...Object.keys(forms), ...Object.keys(words)];
  return first;
};

/** Puts the members that a body of this event must have, by `Scheme.words`. */
export const putWords = (tree: JsonTree, words = ''): void => {
  const [one = ''] = words.split(' | ');
  for (const word of one.split(' ').filter((name) => /^\w/.test(name) && name !== 'bare')) {
    const [path = '', text = 'sample'] = word.split('=');
    putAt(tree, path, text.replace('*', '1'));
  }
};

/** @returns undefined if only the service can sign */
export const buildSample = (
  name: string,
  source: Source,
  event: string,
  id: string,
  now: number,
): Sample | undefined => {
  const { scheme, options } = source;
  const { forms, idMember, timeMember, eventHeader, words = {}, hasAction } = SCHEMES[scheme] ?? {};
  const header = options.event ?? eventHeader;
  const inHeader: EventPlace = hasAction === true ? { action: 'action' } : {};
  const place = PLACES[scheme] ?? (eventHeader === undefined ? { member: 'type' } : inHeader);
  const [first = '', ...rest] = place.action === undefined ? [event] : event.split('.');
  // Without the id, two samples would be one event, sent twice.
  const tree: JsonTree = { sample: 'npx passepartout hooks test', sampleId: id };
  if (place.member !== undefined) putAt(tree, place.member, first);
  if (place.action !== undefined && rest.length > 0) putAt(tree, place.action, rest.join('.'));
  if (idMember !== undefined) putAt(tree, idMember, id);
  if (timeMember !== undefined) putAt(tree, timeMember, now);
  const form = source.form ?? findForm({ forms: forms ?? {} }, event) ?? '';
  for (const path of findTemplates(form).paths) putAt(tree, path, `sample ${path.split('.').at(-1)}`);
  putWords(tree, Object.hasOwn(words, first) ? words[first] : undefined);
  const body = JSON.stringify(tree satisfies JsonObject);
  const [secret = ''] = source.secrets;
  const proof = proofOf(source, secret, id, now, body);
  return (
    proof && {
      path: `/webhook/${name}${scheme === 'path-token' ? `/${secret}` : ''}`,
      headers: {
        'content-type': 'application/json',
        ...proof,
        ...(header === undefined ? {} : { [header]: first }),
        ...(options.id === undefined ? {} : { [options.id]: id }),
      },
      body,
    }
  );
};
