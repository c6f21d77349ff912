/**
 * Discord: docs.discord.com, "Interactions" and "Webhook events" (Ed25519, RFC 8032). Both count
 * their types anew: 1 is the ping of an interaction, but an event of the other, whose ping is 0.
 */
import { createPublicKey, verify } from 'node:crypto';
import { lookUp } from '../../../../core/text/template.ts';
import { isStale, named, parseTime, type Scheme, STALE, WRONG_SIGNATURE } from '../scheme.ts';

const HEX_32 = /^[0-9a-f]{64}$/i;
const HEX_64 = /^[0-9a-f]{128}$/i;
const PING = 1;
const EVENT_PING = 0;

export const discord: Scheme = {
  where: 'your application, General Information: Public Key; then Interactions Endpoint URL',
  root: 'public key of the entry',
  carries: ({ headers }) => HEX_64.test(headers['x-signature-ed25519'] ?? ''),
  secretProblem: (secret) => (HEX_32.test(secret) ? undefined : "must be the application's public key, 64 hex digits"),
  verify: ({ headers, bytes }, secret, _source, { now }) => {
    const signature = headers['x-signature-ed25519'] ?? '';
    const time = headers['x-signature-timestamp'] ?? '';
    const sentAt = parseTime(time);
    if (!HEX_64.test(signature) || sentAt === undefined) return ['noSignature'];
    if (isStale(sentAt, now)) return STALE;
    const x = Buffer.from(secret, 'hex').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, Buffer.concat([Buffer.from(time), bytes]), key, Buffer.from(signature, 'hex'))
      ? { sentAt }
      : WRONG_SIGNATURE;
  },
  idMember: 'id',
  nameEvent: ({ type, event }) =>
    typeof event === 'object' && event !== null && 'type' in event
      ? named(event.type)
      : `interaction.${typeof type === 'number' ? type : 'unknown'}`,
  forms: { interaction: '{{who}} used “{{data.name}}{{data.custom_id}}” in Discord' },
  values: (body) => ({ who: lookUp(body, 'member.user.username') ?? lookUp(body, 'user.username') ?? 'somebody' }),
  answer: ({ type, event }) => {
    if (type === EVENT_PING) return { text: '', isJson: false };
    return type === PING && event === undefined ? { text: '{"type":1}', isJson: true } : undefined;
  },
};
