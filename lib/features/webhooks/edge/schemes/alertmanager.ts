/** Prometheus Alertmanager: prometheus.io/docs, "webhook_config" and "http_config". */
import * as z from 'zod/mini';
import { named, type Scheme } from '../scheme.ts';
import { bearer } from './tokens.ts';

const Words = z.catch(z.record(z.string(), z.string()), {});
const Alert = z.object({ status: z.optional(z.string()), labels: Words, annotations: Words });
const Group = z.object({
  status: z.catch(z.string(), ''),
  alerts: z.catch(z.array(Alert), []),
  commonLabels: Words,
  commonAnnotations: Words,
});

export const alertmanager: Scheme = {
  ...bearer,
  where: 'webhook_configs, http_config, authorization, credentials',
  forms: {
    '': '{{ended}} {{commonLabels.alertname}}{{on}}{{commonLabels.instance}}{{and}}{{commonLabels.severity}}{{says}} {{commonAnnotations.summary}} {{commonAnnotations.description}} {{others}}',
  },
  // Alerts of a group may have no name or instance in common: the first one then says its own.
  values: (body) => {
    const { status, alerts, commonLabels, commonAnnotations } = Group.parse(body);
    const same = alerts.filter((alert) => alert.status === status);
    const [first] = same.length === 0 ? alerts : same;
    const more = Math.max(same.length - 1, 0);
    const labels = { ...first?.labels, ...commonLabels };
    const annotations = { ...first?.annotations, ...commonAnnotations };
    const hasWords = annotations.summary !== undefined || annotations.description !== undefined;
    const resolved = status === 'firing' ? alerts.length - same.length : 0;
    return {
      ended: status === 'firing' || status === '' ? '' : `${status}:`,
      commonLabels: labels,
      on: labels.instance === undefined ? '' : ' on ',
      and: labels.severity === undefined ? '' : ', ',
      says: hasWords ? ':' : '',
      commonAnnotations: annotations,
      others: [...(more === 0 ? [] : [`and ${more} more`]), ...(resolved === 0 ? [] : [`(${resolved} resolved)`])].join(
        ' ',
      ),
    };
  },
  nameEvent: (body) => named(body.status),
};
