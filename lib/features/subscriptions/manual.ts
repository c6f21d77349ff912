/** Pages of the manual: news for another system. */
import type { ManualPage } from '../manual-pages.ts';

export const SUBSCRIPTION_PAGES: readonly ManualPage[] = [
  {
    title: 'Tell another system what happens here',
    german: 'Einem anderen System sagen, was hier geschieht',
    words:
      'subscribe notify outgoing event monitoring pager alert when approval waits fails budget forward push ' +
      'abonnieren melden benachrichtigen Überwachung Alarm wenn Freigabe wartet scheitert weiterleiten',
    verbs: ['hooks subscribe', 'hooks unsubscribe', 'hooks subscriptions', 'hooks deliveries'],
    see: 'infra/webhooks.md#tell-another-system',
  },
];
