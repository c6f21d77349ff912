/** Pages of the manual: Slack. */
import type { ManualPage } from '../manual-pages.ts';

export const SLACK_PAGES: readonly ManualPage[] = [
  {
    title: 'Connect Slack, to talk with the agent in a workspace',
    german: 'Slack verbinden, um im Workspace mit dem Agenten zu schreiben',
    words:
      'slack workspace channel direct message app manifest install team mention thread bot token socket mode connect ' +
      'Slack Workspace Kanal Direktnachricht App Manifest installieren Team Erwähnung Thread verbinden einrichten',
    steps: [
      [
        'npx passepartout connect-slack',
        'prints the manifest of the app; with tokens in .env it tries them',
        'gibt das Manifest der App aus; mit Tokens in .env probiert es sie',
      ],
      [
        'npx passepartout pair',
        'prints a code; written to the app as !pair and the code, it lets you in',
        'gibt einen Code aus; als !pair mit dem Code an die App geschrieben, lässt er dich herein',
      ],
    ],
    see: 'infra/slack.md',
  },
];
