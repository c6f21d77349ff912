/** Prometheus Alertmanager: prometheus.io/docs, "webhook_config" and "http_config". */
import { named, type Scheme } from '../scheme.ts';
import { bearer } from './tokens.ts';

export const alertmanager: Scheme = {
  ...bearer,
  where: 'webhook_configs, http_config, authorization, credentials',
  forms: {
    '': '{{status}}: {{commonLabels.alertname}} {{commonLabels.instance}} {{commonAnnotations.summary}} {{commonAnnotations.description}}',
  },
  nameEvent: (_headers, body) => named(body.status),
};
