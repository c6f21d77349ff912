/** The step of the set-up that takes the tokens of a Slack app, asked by its name alone. */
import { judgeEndpoints, nowhere } from '../../cli/setup/judge-endpoints.ts';
import { problemOf } from '../../cli/setup/problem-of.ts';
import type { Questions } from '../../cli/setup/questions.ts';
import { fine, type Step } from '../../cli/setup/step.ts';
import { inspectSlack } from './inspect.ts';

/** @returns empty for none */
const askToken = async (
  questions: Questions,
  name: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN',
  words: string,
): Promise<string> => {
  for (;;) {
    const token = await questions.askSecret(words);
    const problem = token === '' ? undefined : problemOf(name, token);
    if (problem === undefined) return token;
    questions.tell(problem);
  }
};

export const slackStep: Step = {
  name: 'slack',
  title: 'A Slack app',
  isAlone: true,
  ask: async (questions) => {
    questions.tell('"npx passepartout connect-slack" prints what Slack makes it of. Leave a token empty for no app.');
    const bot = await askToken(questions, 'SLACK_BOT_TOKEN', 'The token of its bot, xoxb-… (not shown)');
    if (bot === '') return undefined;
    const app = await askToken(questions, 'SLACK_APP_TOKEN', 'The token of its socket, xapp-… (not shown)');
    return app === '' ? undefined : { SLACK_BOT_TOKEN: bot, SLACK_APP_TOKEN: app };
  },
  check: async (variables) => {
    const app = await inspectSlack(variables, nowhere);
    return app === undefined ? fine('No Slack app is set.') : judgeEndpoints([app]);
  },
};
