/**
 * A person asks how a machine is paired. The model looks it up in the agent's manual and answers
 * with the command of the passages, which works as it was pasted. The same after a restart, and by
 * `/help` without a model.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../../../infra/bundling.ts';
import { call, say, toolResultsOf, userTextOf } from '../../support/model-server.ts';
import { type Home, openHome } from '../support/home.ts';

const COMMAND = /npx passepartout runners pair <name>/;
const PRINTED = 'npx passepartout runners pair home';

let home: Home;
beforeAll(async () => {
  home = await openHome((request) => {
    const [passages] = toolResultsOf(request);
    if (passages === undefined)
      return call('recall', {
        query: userTextOf(request),
        source: 'manual',
        explanation: 'the owner asks how it works',
      });
    const [command = 'I do not know'] = COMMAND.exec(passages) ?? [];
    return say(`Type: ${command.replace('<name>', 'home')}`);
  });
  home.set(home.modelSettings);
});
afterAll(() => home?.close());

it('answers how a machine is paired by the very command, which works', async () => {
  expect(readFileSync(join(ROOT, 'infra/runner/pairing.md'), 'utf8')).toContain(PRINTED);
  const stack = await home.start();
  const answer = await home.paste('npx passepartout send "how do I pair a machine?"');
  expect(answer).toContain(`Type: ${PRINTED}`);
  expect(await home.paste(/npx .*$/m.exec(answer)?.[0] ?? 'false')).toMatch(/^npx passepartout runner pair \S+ \S+$/m);

  await stack.end();
  await home.start();
  expect(await home.paste('npx passepartout send "/help wie verbinde ich einen Rechner"')).toMatch(COMMAND);
  expect(await home.paste('npx passepartout help how do I pair a machine')).toMatch(COMMAND);
});
