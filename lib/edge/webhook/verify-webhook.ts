/**
 * Verifies the signature of an incoming webhook as Standard Webhooks says. The clock comes in as a value. A source nobody
 * configured is put through the same work as one that is, and ends in the same answer, so that names cannot be guessed.
 */
import { timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { MINUTE_MS } from '../../base/limits.ts';

/** A sender's message id, and the signatures beside it (several while keys rotate): more is not a sender but a probe. */
const WEBHOOK_ID_CHARS_MAX = 256;
const WEBHOOK_SIGNATURES_MAX = 16;
/** Webhook timestamps older or newer than this are replays (Standard Webhooks' own tolerance). */
export const WEBHOOK_TOLERANCE_MS = 5 * MINUTE_MS;

/** Header names in lower case, as function URLs give them. */
export type Headers = Readonly<Record<string, string | undefined>>;

export type Verification =
  | { readonly isGenuine: true; readonly webhookId: string }
  | { readonly isGenuine: false; readonly problem: string };

/** Stands in for the secret of a source nobody configured; what it signs is never accepted. */
const NO_SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`;
/** Printable ASCII without spaces. */
const WEBHOOK_ID = /^[\x21-\x7e]+$/;
const TIMESTAMP = /^\d{1,11}$/;

const refuse = (problem: string): Verification => ({ isGenuine: false, problem });

const isEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.byteLength === right.byteLength && timingSafeEqual(left, right);
};

const expectedSignature = (secret: string, id: string, atMs: number, body: string): string | undefined => {
  try {
    return new Webhook(secret).sign(id, new Date(atMs), body);
  } catch {
    // A secret that is no base64. What the library throws may tell of its characters.
    return undefined;
  }
};

/**
 * @param secret of the source; `undefined` when nobody configured it.
 * @param body exactly the text that was sent.
 * @param now epoch milliseconds.
 */
export const verifyWebhook = (
  secret: string | undefined,
  headers: Headers,
  body: string,
  now: number,
): Verification => {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  const signatures = (headers['webhook-signature'] ?? '').split(' ');
  if (id.length > WEBHOOK_ID_CHARS_MAX || !WEBHOOK_ID.test(id)) return refuse('webhook-id is missing or malformed');
  if (!TIMESTAMP.test(timestamp)) return refuse('webhook-timestamp is missing or malformed');
  const atMs = Number(timestamp) * 1000;
  if (Math.abs(now - atMs) > WEBHOOK_TOLERANCE_MS) return refuse('webhook-timestamp is too old or too new');
  if (signatures.length > WEBHOOK_SIGNATURES_MAX) return refuse('webhook-signature holds too many signatures');
  const expected = expectedSignature(secret ?? NO_SECRET, id, atMs, body);
  // All are compared, and none is left out once one fits: the time says nothing about which.
  const fitting = signatures.filter((signature) => isEqual(signature, expected ?? ''));
  if (secret === undefined || expected === undefined || fitting.length === 0)
    return refuse('the signature is not one of a known source');
  return { isGenuine: true, webhookId: id };
};
