/** Tells subscribers once the notices of a delivery are published. */
import { carriesNews } from '../../core/signal/signal.ts';
import type { AfterEffect } from '../../core/stages/act/after.ts';
import { subscriptionsIn } from './subscriptions.ts';

type LoadTellSubscribers = () => Promise<Pick<typeof import('./tell-subscribers.ts'), 'tellSubscribers'>>;

export const tellsSubscribers = (loadLate: LoadTellSubscribers): AfterEffect => ({
  name: 'subscriptions',
  at: 'news',
  takes: ({ record, settings }) => carriesNews(record.signal) || subscriptionsIn(settings).length > 0,
  after: async (deps, turn, { effects }) => {
    await (await loadLate()).tellSubscribers(deps, turn, effects);
    return [];
  },
});
