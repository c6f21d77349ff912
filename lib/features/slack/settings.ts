/** The settings of Slack. Their meanings are in `infra/setting-meanings.ts`. */
import * as z from 'zod/mini';
import { oneOf, SafeUrl } from '../../core/store/setting-forms.ts';
import type { Setting } from '../../core/store/settings.ts';

const form = (regex: RegExp, error: string) => z.string().check(z.regex(regex, { error }));

// biome-ignore format: a table
export const SLACK_SETTINGS = {
  SLACK_BOT_TOKEN: { schema: form(/^xoxb-[\w-]+$/, 'must begin with xoxb-'), isSecret: true, functions: ['act', 'slack'] },
  SLACK_SIGNING_SECRET: { schema: form(/^[0-9a-f]{32,64}$/, 'must be 32 digits and letters a-f'), isSecret: true, functions: ['slack'] },
  SLACK_APP_TOKEN: { schema: form(/^xapp-[\w-]+$/, 'must begin with xapp-'), isSecret: true, functions: [], by: 'local' },
  SLACK_STATE: { schema: oneOf('off', 'socket', 'events'), default: 'off', functions: ['console', 'slack'], by: 'deploy' },
  SLACK_PUBLIC_URL: { schema: SafeUrl, functions: [], by: 'local' },
  SLACK_API_ROOT: { schema: SafeUrl, default: 'https://slack.com/api', functions: ['act', 'slack'] },
} as const satisfies Readonly<Record<string, Setting>>;
