/** Grafana Alerting: grafana.com/docs, "Configure webhook notifications", HMAC signature. */
import { named, type Scheme, verifyHmac } from '../scheme.ts';

const PLAIN = { signature: 'x-grafana-alerting-signature' };
const TIMED = { ...PLAIN, time: 'x-grafana-alerting-timestamp', signed: '{time}:{body}' };

export const grafana: Scheme = {
  where:
    'Alerting, Contact points, Webhook, HMAC signature: Secret (and Timestamp Header: X-Grafana-Alerting-Timestamp)',
  signing: () => TIMED,
  verify: (request, secret, _source, { now }) =>
    verifyHmac(request.headers[TIMED.time] === undefined ? PLAIN : TIMED, request, secret, now),
  forms: { '': '{{title}} {{commonAnnotations.summary}} {{externalURL}}' },
  nameEvent: (_headers, body) => named(body.status),
};
