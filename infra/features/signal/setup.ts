/** The step of the set-up that takes the address of signal-cli's daemon; asked by its name. */
import { judgeEndpoints, nowhere } from '../../cli/setup/judge-endpoints.ts';
import { problemOf } from '../../cli/setup/problem-of.ts';
import { fine, type Step } from '../../cli/setup/step.ts';
import { signalProgram } from './program.ts';

export const signalStep: Step = {
  name: 'signal',
  title: 'Signal',
  isAlone: true,
  ask: async (questions, variables) => {
    questions.tell('signal-cli holds the account: lib/features/signal/README.md says how. Leave it empty for none.');
    const check = (text: string) => (text === '' ? undefined : problemOf('SIGNAL_URL', text));
    const url = await questions.ask('The address of its daemon', check, variables.SIGNAL_URL);
    return url === '' ? undefined : { SIGNAL_URL: url };
  },
  check: async (variables) => {
    const daemon = await signalProgram.inspect(variables, nowhere, false);
    return daemon === undefined ? fine('No daemon is set.') : judgeEndpoints([daemon]);
  },
};
