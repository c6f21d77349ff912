/** The step of the set-up that takes a bot's token, and the chat that is paired at its end. */
import { judgeEndpoints, nowhere } from '../../cli/setup/judge-endpoints.ts';
import { problemOf } from '../../cli/setup/problem-of.ts';
import { fine, type Step } from '../../cli/setup/step.ts';
import { inspectBot } from './inspect.ts';

export const telegramStep: Step = {
  name: 'telegram',
  title: 'A Telegram bot',
  ask: async (questions) => {
    questions.tell('@BotFather makes one: write /newbot to it, and copy the token. Leave it empty for no bot.');
    for (;;) {
      const token = await questions.askSecret("The bot's token (not shown)");
      if (token === '') return undefined;
      const problem = problemOf('TELEGRAM_BOT_TOKEN', token);
      if (problem === undefined) return { TELEGRAM_BOT_TOKEN: token };
      questions.tell(problem);
    }
  },
  check: async (variables) => {
    const { TELEGRAM_BOT_TOKEN, TELEGRAM_API_ROOT } = variables;
    const bot = await inspectBot({ TELEGRAM_BOT_TOKEN, TELEGRAM_API_ROOT }, nowhere, false);
    return bot === undefined ? fine('No bot is set.') : judgeEndpoints([bot]);
  },
};
