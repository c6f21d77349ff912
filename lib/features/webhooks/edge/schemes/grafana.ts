/**
 * Grafana Alerting: grafana.com/docs, "Configure webhook notifications", HMAC signature. It signs
 * the body, or the time and the body: the entry says which, so that no request chooses.
 */
import {
  type HmacForm,
  hasSignature,
  named,
  type Scheme,
  type Source,
  verifyHmac,
  WRONG_SIGNATURE,
} from '../scheme.ts';

const formOf = ({ options: { time } }: Pick<Source, 'options'>): HmacForm => ({
  signature: 'x-grafana-alerting-signature',
  ...(time === undefined ? {} : { time, signed: '{time}:{body}' }),
});

export const grafana: Scheme = {
  where:
    'Alerting, Contact points, Webhook, HMAC signature: Secret; if you fill Timestamp Header too, the entry needs it as "time"',
  root: 'shared secret',
  carries: (head, source) => hasSignature(formOf(source), head),
  options: { time: 'possible' },
  signing: formOf,
  verify: (request, secret, source, { now }) => {
    const result = verifyHmac(formOf(source), request, secret, now);
    return source.options.time === undefined && result === WRONG_SIGNATURE ? ['wrongSignatureOrTime'] : result;
  },
  forms: { '': '{{title}} {{commonAnnotations.summary}} {{externalURL}}' },
  nameEvent: (body) => named(body.status),
};
