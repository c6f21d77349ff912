/** `connect-slack` and the settings of Slack, in German. Pure. */
import type { SentencePair } from '../../../lib/core/language/sentence-speaker.ts';

export const SLACK_LINES: readonly SentencePair[] = [
  [
    'print the manifest of the Slack app, and try its tokens',
    'das Manifest der Slack-App ausgeben, und ihre Tokens probieren',
  ],
  ['the stack {1} has no output SlackUrl', 'der Stack {1} nennt keine SlackUrl'],
  ['copy the tokens anew from https://api.slack.com/apps', 'die Tokens neu von https://api.slack.com/apps kopieren'],
  ['A Slack app', 'Eine Slack-App'],
  ['No Slack app is set.', 'Keine Slack-App ist gesetzt.'],
  [
    '"npx passepartout connect-slack" prints what Slack makes it of. Leave a token empty for no app.',
    '„npx passepartout connect-slack“ gibt aus, woraus Slack sie macht. Ein Token leer lassen für keine App.',
  ],
  ['The token of its bot, xoxb-… (not shown)', 'Das Token ihres Bots, xoxb-… (wird nicht gezeigt)'],
  ['The token of its socket, xapp-… (not shown)', 'Das Token ihres Sockets, xapp-… (wird nicht gezeigt)'],
  ['Slack takes the token of {1}.', 'Slack nimmt das Token von {1} an.'],
  ['the address of "{1}" cannot be looked up: {2}', 'die Adresse von „{1}“ lässt sich nicht finden: {2}'],
  ['was it deployed with SLACK_STATE=events?', 'wurde er mit SLACK_STATE=events aufgesetzt?'],
  [
    'Slack makes the app of it: https://api.slack.com/apps, Create New App, From a manifest. Then Install App.',
    'Daraus macht Slack die App: https://api.slack.com/apps, Create New App, From a manifest. Dann Install App.',
  ],
  ['Then put these into .env:', 'Dann diese in .env schreiben:'],
  ['  SLACK_BOT_TOKEN=xoxb-… (OAuth & Permissions)', '  SLACK_BOT_TOKEN=xoxb-… (OAuth & Permissions)'],
  [
    '  SLACK_APP_TOKEN=xapp-… (Basic Information, App-Level Tokens, with connections:write)',
    '  SLACK_APP_TOKEN=xapp-… (Basic Information, App-Level Tokens, mit connections:write)',
  ],
  ['  SLACK_SIGNING_SECRET=… (Basic Information)', '  SLACK_SIGNING_SECRET=… (Basic Information)'],
  [
    'npx passepartout connect-slack tries them. After a start, npx passepartout pair lets your direct message in.',
    'npx passepartout connect-slack probiert sie. Nach einem Start lässt npx passepartout pair die Direktnachricht herein.',
  ],
  [
    'SLACK_BOT_TOKEN: needs SLACK_APP_TOKEN, or SLACK_SIGNING_SECRET with SLACK_PUBLIC_URL',
    'SLACK_BOT_TOKEN: braucht SLACK_APP_TOKEN, oder SLACK_SIGNING_SECRET mit SLACK_PUBLIC_URL',
  ],
  ['{1}: must begin with {2}', '{1}: muss mit {2} beginnen'],
  ['{1}: must be 32 digits and letters a-f', '{1}: müssen 32 Ziffern und Buchstaben a-f sein'],
  ['  slack     off (npx passepartout connect-slack)', '  Slack     aus (npx passepartout connect-slack)'],
  ['  slack     {1}', '  Slack     {1}'],
];
