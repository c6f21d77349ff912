/** Logins that have ended among the faults of the stack. */
import { finding } from '../../core/language/finding.ts';
import type { FeatureViews } from '../../core/operations/feature-views.ts';
import { mcpKey } from '../../core/store/keys.ts';
import { LOGIN_PREFIX, readLogin } from './login-record.ts';

export const CONSENT_VIEWS: FeatureViews = {
  findProblems: async ({ table, space }) => {
    const { items } = await table.query({ pk: mcpKey(space).pk, skPrefix: LOGIN_PREFIX });
    return items.flatMap((item) =>
      readLogin(item)?.state === 'ended' ? [finding('mcpLogin', String(item.sk).slice(LOGIN_PREFIX.length))] : [],
    );
  },
};
